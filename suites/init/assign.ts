import type { Role } from '../../fixtures/roles.ts';
import type { Probed } from './probe.ts';

type Served = Extract<Probed, { kind: 'served' }>;
type Closed = Extract<Probed, { kind: 'closed' }>;

/** Which key plays which role, and what was guessed on the way. */
export interface Assignment {
  keys: Partial<Record<Role, Probed>>;
  /** Workspaces that `primary` reaches. */
  workspaces: string[];
  /** A workspace of the key `otherAccount`. */
  otherWorkspace: string | undefined;
  /** What could not be seen, and how it was decided; one sentence each. */
  notices: string[];
  /** Roles that were given to one of several keys without a reason that can be seen. */
  guessed: Role[];
}

const bySource: Readonly<Record<string, Role>> = {
  workspace_ambiguous: 'ambiguous',
  'key-pin': 'pinned',
  'stored-default': 'defaulted',
  'sole-reachable': 'sole',
};

/** Finds a role for each key, as far as what it was answered tells one. Pure; the order of the keys decides between equals. */
export function assignRoles(probed: readonly Probed[]): Assignment {
  const served = probed.filter((one) => one.kind === 'served');
  const [account = [], ...otherAccounts] = accountsOf(served);
  const assignment: Assignment = {
    keys: {},
    workspaces: [],
    otherWorkspace: undefined,
    notices: probed
      .filter((one) => one.kind === 'unclear')
      .map(({ variable, why }) => `${variable} is left out: ${why}`),
    guessed: [],
  };
  assignOwn(account, assignment);
  const [other] = otherAccounts.flat();
  if (other !== undefined) {
    assignment.keys.otherAccount = other;
    assignment.otherWorkspace = other.workspace ?? other.reach[0];
  }
  assignClosed(
    probed.filter((one) => one.kind === 'closed'),
    assignment,
  );
  assignRefused(
    probed.filter((one) => one.kind === 'refused'),
    assignment,
  );
  const used = new Set(Object.values(assignment.keys).map(({ variable }) => variable));
  for (const { variable, kind } of probed) {
    if (kind !== 'unclear' && !used.has(variable))
      assignment.notices.push(`${variable} is left out: no role is left for it`);
  }
  return assignment;
}

/** Keys by account, the largest first. Accounts are told apart by workspaces and by balance: neither is shared with another. */
function accountsOf(served: readonly Served[]): Served[][] {
  const accounts: Served[][] = [];
  for (const key of served) {
    const same = accounts.filter((account) => account.some((member) => ofOneAccount(member, key)));
    const joined = [...same.flat(), key];
    for (const account of same) accounts.splice(accounts.indexOf(account), 1);
    accounts.push(joined);
  }
  return accounts.toSorted((a, b) => b.length - a.length);
}

function ofOneAccount(one: Served, other: Served): boolean {
  if (one.reach.some((slug) => other.reach.includes(slug))) return true;
  return one.balance !== null && one.balance === other.balance;
}

function assignOwn(account: readonly Served[], { keys, workspaces, notices, guessed }: Assignment): void {
  for (const key of account) {
    const role = bySource[key.source ?? ''];
    if (role !== undefined) keys[role] ??= key;
    else if (key.reach.length === 1) keys.sole ??= key;
  }
  const taken = new Set(Object.values(keys));
  const spare = account.filter((key) => !taken.has(key)).toSorted((a, b) => b.reach.length - a.reach.length);
  const [first, second] = spare;
  const primary = first ?? account.toSorted((a, b) => b.reach.length - a.reach.length)[0];
  if (primary === undefined) return;
  keys.primary = primary;
  workspaces.push(...reachOf(primary));
  if (second === undefined) return;
  keys.throttled = second;
  guessed.push('throttled');
  notices.push(`${second.variable} is taken for 'throttled': it is brought to its cap if 'throttling' is allowed`);
}

/** Workspaces that a key reaches, first the one that it works in by itself. */
export function reachOf(key: Probed): string[] {
  if (key.kind !== 'served') return [];
  return [...new Set([...(key.workspace === null ? [] : [key.workspace]), ...key.reach])];
}

/** Words in which an answer 403 may say why. */
const closedBy: readonly [role: Role, words: RegExp][] = [
  ['platformSwitchOff', /platform/i],
  ['accountSwitchOff', /account/i],
  ['withoutAccess', /access|capabilit|permission|member/i],
];

function assignClosed(closed: readonly Closed[], { keys, notices, guessed }: Assignment): void {
  const rest = closed.filter((key) => {
    const role =
      closedBy.find(([, words]) => words.test(key.code))?.[0] ??
      closedBy.find(([, words]) => words.test(key.message))?.[0];
    if (role === undefined || keys[role] !== undefined) return true;
    keys[role] = key;
    return false;
  });
  const free = closedBy.map(([role]) => role).filter((role) => keys[role] === undefined);
  for (const [index, role] of free.entries()) {
    const key = rest[index];
    if (key === undefined) return;
    keys[role] = key;
    guessed.push(role);
    notices.push(
      `${key.variable} is closed (403 ${key.code}) and taken for '${role}': the answer does not say why it is closed`,
    );
  }
}

function assignRefused(refused: readonly Probed[], { keys, notices, guessed }: Assignment): void {
  const [first, second] = refused;
  if (first === undefined) return;
  keys.revoked = first;
  guessed.push('revoked');
  if (second !== undefined) {
    keys.expired = second;
    guessed.push('expired');
  }
  const both = second === undefined ? '' : `, and ${second.variable} for 'expired'`;
  notices.push(
    `${first.variable} is refused and taken for 'revoked'${both}: a 401 does not say which, and not whether it ever was a key`,
  );
}
