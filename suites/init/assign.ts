import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { type Role, roleEnv, roles } from '../../fixtures/roles.ts';
import type { CandidateKey, Probed } from './probe.ts';

type Served = Extract<Probed, { kind: 'served' }>;
type Closed = Extract<Probed, { kind: 'closed' }>;

/** Keys by role, and what is uncertain about them. */
export interface Assignment {
  keys: Partial<Record<Role, Probed>>;
  workspaces: string[];
  otherWorkspace: string | undefined;
  /** Facts that the responses do not show, and the decisions made instead, one sentence each. */
  notices: string[];
}

const bySource: Readonly<Record<string, Role>> = {
  [refusalCodes.workspaceAmbiguous]: 'ambiguous',
  'key-pin': 'pinned',
  'stored-default': 'defaulted',
  'sole-reachable': 'sole',
};

/**
 * Assigns a role to each key, based on the responses to it. Between equal keys, the names of their variables decide,
 * then their order.
 */
export function assignRoles(probed: readonly Probed[]): Assignment {
  const served = probed.filter((one) => one.kind === 'served');
  const [account = [], ...otherAccounts] = accountsOf(served);
  const assignment: Assignment = {
    keys: {},
    workspaces: [],
    otherWorkspace: undefined,
    notices: probed
      .filter((one) => one.kind === 'unclear')
      .map(({ variable, why }) => `${variable} is not used: ${why}`),
  };
  assignOwn(account, assignment);
  const other = preferred(otherAccounts.flat(), 'otherAccount');
  if (other !== undefined) {
    assignment.keys.otherAccount = other;
    assignment.otherWorkspace = other.reach[0];
  }
  const closed = probed.filter((one) => one.kind === 'closed');
  const refused = probed.filter((one) => one.kind === 'refused');
  const ofClosed = ({ code }: Closed, role: Role) =>
    `got 403 (${code}), assumed role '${role}': check the role, because the cause is unknown`;
  const isClosedBy = (key: Closed, role: Role) => closedRole(key) === role;
  shareOut(['platformSwitchOff', 'accountSwitchOff', 'withoutAccess'], closed, assignment, ofClosed, isClosedBy);
  const ofRefused = (_: Probed, role: Role) =>
    `got 401, assumed role '${role}': check the role, because a 401 does not show the cause`;
  shareOut(['revoked', 'expired'], refused, assignment, ofRefused);
  const used = new Set(Object.values(assignment.keys).map(({ variable }) => variable));
  for (const { variable, kind } of probed) {
    if (kind !== 'unclear' && !used.has(variable))
      assignment.notices.push(`${variable} is not used: other keys already have every role that fits this key`);
  }
  return assignment;
}

/** Groups keys by account. The account with a key named for `primary` comes first, then the largest. */
function accountsOf(served: readonly Served[]): Served[][] {
  const accounts: Served[][] = [];
  for (const key of served) {
    const same = accounts.filter((account) => account.some((member) => ofOneAccount(member, key)));
    const joined = [...same.flat(), key];
    for (const account of same) accounts.splice(accounts.indexOf(account), 1);
    accounts.push(joined);
  }
  const strange = (account: readonly Served[]) => Math.min(...account.map((key) => strangeness(key, 'primary')));
  const isOwn = (account: readonly Served[]) => (strange(account) === 0 ? 0 : account.every(isOfOther) ? 2 : 1);
  return accounts.toSorted((a, b) => isOwn(a) - isOwn(b) || b.length - a.length || strange(a) - strange(b));
}

/**
 * Compares names of variables first, then balances. Two accounts may have equal balances, and workspaces with the same
 * slug.
 */
function ofOneAccount(one: Served, other: Served): boolean {
  if (isOfOther(one) !== isOfOther(other)) return false;
  if (one.balance !== null && other.balance !== null && one.balance !== other.balance) return false;
  return one.reach.some((slug) => other.reach.includes(slug));
}

const isOfOther = (key: Served) => strangeness(key, 'otherAccount') === 0;

function assignOwn(account: readonly Served[], assignment: Assignment): void {
  const { keys, workspaces, notices } = assignment;
  const isNamed = (role: Role) => (key: Served) => strangeness(key, role) === 0;
  // A key whose rate limit may be exhausted gets no other role, unless it is the only key.
  const kept = account.filter((key) => !isNamed('throttled')(key));
  const usable = kept.length === 0 ? account : kept;
  for (const role of ['ambiguous', 'pinned', 'defaulted', 'sole'] as const) {
    const candidates = usable.filter((key) => resolvingRole(key) === role);
    const key = preferred(candidates, role);
    if (key !== undefined) keys[role] = key;
  }
  const taken = new Set(Object.values(keys));
  const free = usable.filter((key) => !taken.has(key));
  const wide = largest(usable, ({ reach }) => reach.length);
  const unused = wide.filter((key) => free.includes(key));
  const primary =
    usable.find(isNamed('primary')) ?? preferred(largest(unused.length === 0 ? wide : unused, limitOf), 'primary');
  if (primary === undefined) return;
  const second = Object.entries(keys).find(([, key]) => key === primary)?.[0];
  if (second !== undefined) {
    notices.push(
      `${primary.variable} has two roles, 'primary' and '${second}': a second key for one of them tests more`,
    );
  }
  keys.primary = primary;
  workspaces.push(...primary.reach);
  const others = account.filter((key) => !taken.has(key) && key !== primary);
  const throttled = preferred(
    others.toSorted((a, b) => a.limit - b.limit),
    'throttled',
  );
  if (throttled === undefined) return;
  const why = "gets the role 'throttled': with 'throttling', a run exhausts the rate limit of this key";
  guess('throttled', throttled, why, assignment);
}

function resolvingRole({ source, reach }: Served): Role | undefined {
  return bySource[source ?? ''] ?? (reach.length === 1 ? 'sole' : undefined);
}

/** Returns the keys with the largest number. */
function largest(keys: readonly Served[], numberOf: (key: Served) => number): Served[] {
  const most = Math.max(...keys.map(numberOf));
  return keys.filter((key) => numberOf(key) === most);
}

const limitOf = ({ limit }: Served) => limit;

/** Words that may explain a 403 in the response. */
const closedBy: readonly [role: Role, words: RegExp][] = [
  ['platformSwitchOff', /platform/i],
  ['accountSwitchOff', /account/i],
  ['withoutAccess', /access|capabilit|permission|member/i],
];

function closedRole({ code, message }: Closed): Role | undefined {
  const saying = (text: string) => closedBy.find(([, words]) => words.test(text))?.[0];
  return saying(code) ?? saying(message);
}

function guess(role: Role, key: Probed, why: string, { keys, notices }: Assignment): void {
  keys[role] = key;
  notices.push(`${key.variable} ${why}`);
}

/**
 * Returns the best key for a role, judged by the names of the variables; undefined if there are no keys. Keys named for
 * the role come first (`TCK_KEY_PRIMARY`, `PRIMARY`), then keys named for no role. Between equals, the order of the
 * keys decides.
 */
export function preferred<Key extends CandidateKey>(keys: readonly Key[], role: Role): Key | undefined {
  return keys.toSorted((one, other) => strangeness(one, role) - strangeness(other, role))[0];
}

/**
 * Distributes keys among roles that any of them can have: first by what the responses show, then by the names of their
 * variables, then in order.
 */
function shareOut<Key extends Probed>(
  among: readonly Role[],
  keys: readonly Key[],
  assignment: Assignment,
  why: (key: Key, role: Role) => string,
  isShown: (key: Key, role: Role) => boolean = () => false,
): void {
  const free = () => keys.filter((key) => !Object.values(assignment.keys).includes(key));
  for (const fits of [isShown, (key: Key, role: Role) => isNamedFor(key.variable, role), () => true]) {
    for (const role of among.filter((each) => assignment.keys[each] === undefined)) {
      const key = preferred(
        free().filter((each) => fits(each, role)),
        role,
      );
      if (key === undefined) continue;
      if (fits === isShown) assignment.keys[role] = key;
      else guess(role, key, why(key, role), assignment);
    }
  }
}

/** Returns how badly the name of a key's variable fits a role: 0 for this role, 1 for no role, 2 for another role. */
export function strangeness({ variable }: CandidateKey, role: Role): number {
  if (isNamedFor(variable, role)) return 0;
  return roles.some((other) => isNamedFor(variable, other)) ? 2 : 1;
}

/** The last role in the name of a variable counts, so `SOLE_PRIMARY` names `primary`. */
function isNamedFor(variable: string, role: Role): boolean {
  const position = (name: Role) =>
    `_${variable.toUpperCase()}_`.lastIndexOf(`${roleEnv(name).replace('TCK_KEY', '')}_`);
  return position(role) >= 0 && roles.every((other) => position(other) <= position(role));
}
