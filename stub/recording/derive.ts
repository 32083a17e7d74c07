import type { Role } from '../../fixtures/roles.ts';
import { member } from '../../suites/json.ts';
import { conforming } from '../server/conforming.ts';
import { slugForm, type WorkspaceData, type WorldData } from '../world/data.ts';
import { createWorld } from '../world/world.ts';
import { defaultRateLimit, throttledRateLimit } from '../worlds/world.ts';
import { clockOffset } from './clock.ts';
import { resultOf, type ToolExchange } from './exchanges.ts';
import { type RecordedKey, recordedKeys, rolesFor, workspaceOf } from './keys.ts';
import { RecordedWorkspace } from './workspace.ts';

/** Data of a sandbox that a recording shows. */
export interface Derived {
  readonly data: WorldData;
  readonly keys: readonly RecordedKey[];
  /** Roles that take the place of the recorded keys, by label. */
  readonly roles: ReadonlyMap<string, Role>;
  /** Why a part of a response is left out, by entry. */
  readonly problems: ReadonlyMap<number, string>;
  /** Difference between the clock of the deployment and the times of the recording, in milliseconds. */
  readonly clockOffset: number;
  /** Workspaces whose slugs the data cannot hold. */
  readonly unusable: readonly string[];
}

type AccountId = 'first' | 'second';
type KeyData = NonNullable<NonNullable<WorldData['keys']>[Role]>;

const seeded = new Map(createWorld(1).accounts.map(({ id, workspaces }) => [id, workspaces]));

/** Derives the data at the start of a recording. Does not include what the recorded requests create or spend. */
export function deriveData(exchanges: readonly ToolExchange[]): Derived {
  const keys = recordedKeys(exchanges);
  const roles = rolesFor(keys, seeded.get('first') ?? []);
  const offset = clockOffset(exchanges);
  const accountOf = ({ key }: Pick<ToolExchange, 'key'>): AccountId =>
    key !== null && roles.get(key) === 'otherAccount' ? 'second' : 'first';
  const owners = ownersOf(keys, accountOf);
  const problems = new Map<number, string>();
  const workspaces = readWorkspaces(exchanges, owners, problems);
  const slugs = (account: AccountId) => [...owners].filter(([, owner]) => owner === account).map(([slug]) => slug);
  const data: WorldData = {
    now: new Date(Math.round((exchanges[0]?.at ?? 0) + offset)).toISOString(),
    workspaces: Object.fromEntries(
      [...owners].map(([slug, account]): [string, WorkspaceData] => [
        slug,
        { ...(isSeeded(slug) ? {} : { account }), ...workspaces.get(slug)?.data(slug) },
      ]),
    ),
    accounts: balancesOf(exchanges, accountOf),
    keys: keysOf(keys, roles, slugs),
  };
  const unusable = [...new Set(keys.flatMap(({ reach }) => [...reach]))].filter((slug) => !owners.has(slug));
  return { data, keys, roles, problems, clockOffset: offset, unusable };
}

const isSeeded = (slug: string) => [...seeded.values()].some((slugs) => slugs.includes(slug));

/** Returns the account of each workspace. A slug that another account of the stub has is left out. */
function ownersOf(
  keys: readonly RecordedKey[],
  accountOf: (from: { readonly key: string }) => AccountId,
): Map<string, AccountId> {
  const owners = new Map<string, AccountId>();
  const inFirst = keys.toSorted((a, b) => accountOf({ key: a.label }).localeCompare(accountOf({ key: b.label })));
  for (const { label, reach } of inFirst) {
    const account = accountOf({ key: label });
    const isFree = (slug: string) => !isSeeded(slug) || seeded.get(account)?.includes(slug) === true;
    for (const slug of reach) if (slugForm.test(slug) && isFree(slug) && !owners.has(slug)) owners.set(slug, account);
  }
  return owners;
}

function readWorkspaces(
  exchanges: readonly ToolExchange[],
  owners: ReadonlyMap<string, AccountId>,
  problems: Map<number, string>,
): Map<string, RecordedWorkspace> {
  const workspaces = new Map<string, RecordedWorkspace>();
  const created = new Set(
    exchanges
      .filter(({ tool }) => tool === 'content.create_request')
      .map((exchange) => String(resultOf(exchange)?.piece_id)),
  );
  for (const exchange of exchanges) {
    const slug = workspaceOf(exchange);
    if (slug === undefined || !owners.has(slug)) continue;
    const workspace = workspaces.get(slug) ?? new RecordedWorkspace();
    workspaces.set(slug, workspace);
    const problem = workspace.learn(exchange, created);
    if (problem !== undefined) problems.set(exchange.entry, problem);
  }
  return workspaces;
}

/** Returns the balances at the start: the first balance of each account, and what the client spent before. */
function balancesOf(
  exchanges: readonly ToolExchange[],
  accountOf: (exchange: ToolExchange) => AccountId,
): NonNullable<WorldData['accounts']> {
  const spent = { first: 0, second: 0 };
  const balances: { [A in AccountId]?: { credits: number } } = {};
  for (const exchange of exchanges) {
    const account = accountOf(exchange);
    const result = resultOf(exchange);
    const [balance, count] = [member(result, 'balance'), member(result, 'count')];
    if (member(result, 'status') === 'dispatched' && typeof count === 'number')
      spent[account] += count * conforming.images.creditsEach;
    if (exchange.tool === 'credits.balance' && typeof balance === 'number' && balance >= 0)
      balances[account] ??= { credits: balance + spent[account] };
  }
  return balances;
}

/** Returns the data of all keys of the accounts, so that no key reaches a workspace that the recording lacks. */
function keysOf(
  keys: readonly RecordedKey[],
  roles: ReadonlyMap<string, Role>,
  slugs: (account: AccountId) => readonly string[],
): NonNullable<WorldData['keys']> {
  const first = slugs('first');
  const data = new Map<Role, KeyData>(first[0] === undefined ? [] : unseenKeys(first, first[0]));
  for (const key of keys) {
    const role = roles.get(key.label);
    if (role === undefined || role === 'accountSwitchOff' || role === 'platformSwitchOff') continue;
    const own = slugs(role === 'otherAccount' ? 'second' : 'first');
    const reach = [...key.reach].filter((slug) => own.includes(slug));
    const inReach = (slug: string | null) => (slug !== null && reach.includes(slug) ? slug : null);
    const usual = role === 'throttled' ? throttledRateLimit : defaultRateLimit;
    // The recorded requests must not exceed the limit of the stub.
    const limit = key.mostInMinute > usual ? { rateLimit: key.mostInMinute } : {};
    const places = { reach, pin: inReach(key.pin), storedDefault: inReach(key.storedDefault) };
    data.set(role, { ...(reach.length === 0 ? {} : places), ...limit });
  }
  return Object.fromEntries(data);
}

/** Returns the data of keys that a recording does not show. They keep their form. */
function unseenKeys(slugs: readonly string[], slug: string): [Role, KeyData][] {
  const key = (more: KeyData): KeyData => ({ reach: [...slugs], pin: null, storedDefault: null, ...more });
  return [
    ['primary', key({ storedDefault: slug })],
    ['ambiguous', key({})],
    ['pinned', key({ pin: slug })],
    ['defaulted', key({ storedDefault: slug })],
    ['sole', key({ reach: [slug] })],
    ['throttled', key({ storedDefault: slug })],
  ];
}
