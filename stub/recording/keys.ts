import { refusalCodes } from '../../fixtures/contract/codes.ts';
import type { Role } from '../../fixtures/roles.ts';
import { isRecord, member } from '../../suites/json.ts';
import { codes } from '../server/codes.ts';
import { resultOf, type ToolExchange } from './exchanges.ts';

/** Properties of a key that a recording shows. */
export interface RecordedKey {
  readonly label: string;
  /** Role that the recording states. */
  readonly stated: Role | null;
  requests: number;
  /** Slugs that the key can reach, in the order in which the recording shows them. */
  readonly reach: Set<string>;
  readonly statuses: Set<number>;
  /** Code of a 403. */
  closedBy: unknown;
  /** Largest number of served requests within a minute. */
  mostInMinute: number;
  /** Times of the served requests of the last minute. */
  minute: number[];
  pin: string | null;
  storedDefault: string | null;
  isSole: boolean;
  isAmbiguous: boolean;
}

/** Returns the keys of a recording, in the order of their first requests. */
export function recordedKeys(exchanges: readonly ToolExchange[]): RecordedKey[] {
  const keys = new Map<string, RecordedKey>();
  for (const exchange of exchanges) {
    if (exchange.key === null) continue;
    const key = keys.get(exchange.key) ?? newKey(exchange.key, exchange.role);
    keys.set(exchange.key, key);
    learn(key, exchange);
  }
  return [...keys.values()];
}

function newKey(label: string, stated: Role | null): RecordedKey {
  return {
    label,
    stated,
    requests: 0,
    reach: new Set(),
    statuses: new Set(),
    closedBy: undefined,
    mostInMinute: 0,
    minute: [],
    pin: null,
    storedDefault: null,
    isSole: false,
    isAmbiguous: false,
  };
}

function learn(key: RecordedKey, exchange: ToolExchange): void {
  const { response } = exchange;
  key.requests += 1;
  if (response === null) return;
  key.statuses.add(response.status);
  if (response.status !== 429) {
    key.minute = [...key.minute.filter((at) => exchange.at - at < 60_000), exchange.at];
    key.mostInMinute = Math.max(key.mostInMinute, key.minute.length);
  }
  if (response.status === 403) key.closedBy = member(response.json, 'error', 'code');
  if (response.status !== 200 || !isRecord(response.json)) return;
  const { code, workspaces } = response.json;
  for (const slug of Array.isArray(workspaces) ? workspaces : []) if (typeof slug === 'string') key.reach.add(slug);
  if (code === refusalCodes.workspaceAmbiguous) key.isAmbiguous = true;
  const slug = workspaceOf(exchange);
  if (slug === undefined) return;
  key.reach.add(slug);
  const source = member(resultOf(exchange), 'working_in', 'source');
  if (source === 'key-pin') key.pin ??= slug;
  if (source === 'stored-default') key.storedDefault ??= slug;
  if (source === 'sole-reachable') key.isSole = true;
}

/** Returns the workspace of a successful response. */
export function workspaceOf(exchange: ToolExchange): string | undefined {
  const result = resultOf(exchange);
  if (result === undefined || exchange.tool === 'credits.balance') return undefined;
  const named = [result.workspace, member(result, 'working_in', 'workspace'), exchange.args.workspace];
  return named.find((slug) => typeof slug === 'string');
}

/** Roles for keys of the main account. Data can change what they reach. */
const mainRoles: readonly Role[] = ['primary', 'ambiguous', 'pinned', 'defaulted', 'sole', 'throttled'];

/**
 * Returns the role that takes the place of each key, by label. The key with the most requests becomes `primary`. Keys
 * beyond the number of roles are left out.
 */
export function rolesFor(keys: readonly RecordedKey[], seededFirst: readonly string[]): Map<string, Role> {
  const roles = new Map<string, Role>();
  for (const { label, stated } of keys) if (stated !== null) roles.set(label, stated);
  const isFree = (role: Role) => ![...roles.values()].includes(role);
  const byUse = keys.filter(({ stated }) => stated === null).toSorted((a, b) => b.requests - a.requests);
  const main = keys.find(({ stated }) => stated === 'primary') ?? byUse.find((key) => refusedRole(key) === undefined);
  for (const key of byUse) {
    const isOther = key.reach.size > 0 && ![...key.reach].some((slug) => main?.reach.has(slug));
    const isSecond = isOther && [...key.reach].every((slug) => !seededFirst.includes(slug));
    const wanted: readonly Role[] = key === main ? ['primary'] : isSecond ? ['otherAccount'] : [];
    const role = refusedRole(key) ?? [...wanted, formOf(key), ...mainRoles].find(isFree);
    if (role !== undefined) roles.set(key.label, role);
  }
  return roles;
}

/** Returns the role of a key that gets an error response to every request. */
function refusedRole({ statuses, closedBy }: RecordedKey): Role | undefined {
  if (statuses.size !== 1) return undefined;
  if (statuses.has(401)) return 'revoked';
  if (!statuses.has(403)) return undefined;
  if (closedBy === codes.accountSwitchOff) return 'accountSwitchOff';
  return closedBy === codes.platformSwitchOff ? 'platformSwitchOff' : 'withoutAccess';
}

function formOf(key: RecordedKey): Role {
  if (key.pin !== null) return 'pinned';
  if (key.storedDefault !== null) return 'defaulted';
  if (key.isSole) return 'sole';
  return key.isAmbiguous ? 'ambiguous' : 'throttled';
}
