import type { Role } from '../../fixtures/roles.ts';
import { withoutUndefined } from '../../suites/json.ts';
import { parseData, type WorkspaceData, type WorldData } from './data.ts';
import type { Account, Key, WorkspaceContent } from './model.ts';
import { prefixedId, secret, seededChoices, type WriteId } from './random.ts';
import { companyName, makeWorkspace, usualSize } from './workspace.ts';

const reachable = ['north', 'south', 'east'] as const;
const foreign = ['harbor', 'quay'] as const;

interface SeedOptions {
  /** Name that makes the keys unique among sandboxes with the same seed. */
  readonly name?: string | undefined;
  /** Number of IDs in the library of each workspace. */
  readonly size?: number | undefined;
  /** Data that replaces parts of the seeded data. */
  readonly data?: WorldData | undefined;
}

/** Initial data of a sandbox: two open accounts, two closed accounts, and a key for each role. */
export type SeededWorld = ReturnType<typeof seededWorld>;

/**
 * Creates the initial data of a sandbox. The seed and the name determine accounts, keys and contents. Slugs do not
 * depend on the seed, so examples in guides work with any seed.
 */
export function seededWorld(seed: number, writeId: WriteId = prefixedId, options: SeedOptions = {}) {
  const { name, size = usualSize, data = {} } = options;
  const seeded = makeAccounts(seed);
  const accounts = accountsWith(seeded, data);
  const given = new Map(Object.entries(data.workspaces ?? {}));
  const slugs = new Set(accounts.flatMap((account) => account.workspaces));
  return {
    seed,
    writeId,
    /** Platforms of accounts. The API switch of a platform closes all of its accounts ("Authentication", item 4). */
    platforms: [
      { id: 'open', apiSwitch: true },
      { id: 'closed', apiSwitch: false },
    ],
    accounts,
    keys: makeKeys(seed, name === undefined ? [] : [name]).map((key) => keyWith(key, seeded, accounts, data)),
    /** Generates the contents of a workspace. Undefined for an unknown slug. */
    workspace: (slug: string) =>
      slugs.has(slug) ? contentWith(makeWorkspace({ seed, slug, writeId, size }), given.get(slug) ?? {}) : undefined,
  };
}

/** Validates data with the members that depend on each other. Throws a RangeError that names the invalid ones. */
export function consistentData(given: unknown): WorldData {
  const data = parseData(given);
  seededWorld(1, undefined, { data });
  return data;
}

function makeAccounts(seed: number): Account[] {
  const choices = seededChoices(seed, 'accounts');
  const account = (id: string, workspaces: readonly string[], closed: Partial<Account> = {}): Account => ({
    id,
    name: companyName(choices),
    platform: 'open',
    apiSwitch: true,
    credits: choices.integer(20_000, 90_000),
    workspaces,
    ...closed,
  });
  return [
    account('first', reachable),
    account('second', foreign),
    account('switched-off', ['attic'], { apiSwitch: false }),
    account('elsewhere', ['cellar'], { platform: 'closed' }),
  ];
}

function makeKeys(seed: number, name: readonly string[]): Key[] {
  const key = (role: Role, how: Partial<Key> = {}): Key => ({
    role,
    secret: `cwk_${secret(seed, 'key', role, ...name)}`,
    account: 'first',
    state: 'live',
    capability: true,
    reach: reachable,
    pin: null,
    storedDefault: null,
    ...how,
  });
  return [
    key('primary', { storedDefault: 'north' }),
    key('ambiguous'),
    key('pinned', { pin: 'south' }),
    key('defaulted', { storedDefault: 'east' }),
    key('sole', { reach: ['south'] }),
    key('otherAccount', { account: 'second', reach: foreign, storedDefault: 'harbor' }),
    key('revoked', { storedDefault: 'north', state: 'revoked' }),
    key('expired', { storedDefault: 'north', state: 'expired' }),
    key('withoutAccess', { storedDefault: 'north', capability: false }),
    key('accountSwitchOff', { account: 'switched-off', reach: ['attic'] }),
    key('platformSwitchOff', { account: 'elsewhere', reach: ['cellar'] }),
    key('throttled', { storedDefault: 'north' }),
  ];
}

/** Adds new workspaces to the accounts and applies the account data. */
function accountsWith(accounts: readonly Account[], { workspaces = {}, accounts: given = {} }: WorldData): Account[] {
  const seeded = accounts.flatMap((account) => account.workspaces);
  const added = Object.entries(workspaces).filter(([slug]) => !seeded.includes(slug));
  const byId = new Map(Object.entries(given));
  return accounts.map((account) => {
    const own = added.filter(([, { account: owner = 'first' }]) => owner === account.id).map(([slug]) => slug);
    return { ...account, ...withoutUndefined(byId.get(account.id) ?? {}), workspaces: [...account.workspaces, ...own] };
  });
}

/**
 * Applies the key data. A key that reaches several workspaces also reaches the new ones of its account. Throws a
 * RangeError for a workspace that the key cannot reach.
 */
function keyWith(key: Key, before: readonly Account[], after: readonly Account[], data: WorldData): Key {
  const given = data.keys?.[key.role] ?? {};
  const ofAccount = (accounts: readonly Account[]) => accounts.find(({ id }) => id === key.account)?.workspaces ?? [];
  const [seeded, all] = [ofAccount(before), ofAccount(after)];
  const added = all.filter((slug) => !seeded.includes(slug));
  const reach = given.reach ?? (key.reach.length > 1 ? [...key.reach, ...added] : key.reach);
  const inReach = (slug: string | null) => (slug !== null && reach.includes(slug) ? slug : null);
  const pin = given.pin === undefined ? inReach(key.pin) : given.pin;
  const storedDefault = given.storedDefault === undefined ? inReach(key.storedDefault) : given.storedDefault;
  require(`data: keys.${key.role}.reach`, reach, all);
  require(`data: keys.${key.role}.pin`, [pin], reach);
  require(`data: keys.${key.role}.storedDefault`, [storedDefault], reach);
  const { state = key.state, capability = key.capability } = given;
  return { ...key, state, capability, reach, pin, storedDefault };
}

function require(path: string, slugs: readonly (string | null)[], known: readonly string[]): void {
  const unknown = slugs.find((slug) => slug !== null && !known.includes(slug));
  if (unknown === undefined || unknown === null) return;
  throw new RangeError(`${path}: expected workspaces among ${known.join(', ')}, got '${unknown}'`);
}

/** Replaces parts of the seeded contents with the given data. */
function contentWith(seeded: WorkspaceContent, data: WorkspaceData): WorkspaceContent {
  const { account: _, boards: [first, ...more] = [], schedule, ...parts } = data;
  return {
    ...seeded,
    ...withoutUndefined(parts),
    boards: first === undefined ? seeded.boards : [first, ...more],
    piecesOn: (day) => schedule?.filter((piece) => piece.scheduled_for.startsWith(day)) ?? seeded.piecesOn(day),
  };
}
