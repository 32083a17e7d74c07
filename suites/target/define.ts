import type { Dispatcher } from 'undici';
import { isRole, type Role, roleEnv, roles } from '../../fixtures/roles.ts';
import { type Effect, effects } from '../../fixtures/side-effects.ts';
import {
  type Clock,
  defaultMaxImages,
  defaultPace,
  type Pace,
  type RoleKey,
  type Target,
  type WorkspaceChoice,
} from '../target.ts';
import { UsageError } from '../usage/usage-error.ts';
import { assertSafeForSecrets, parseBaseUrl } from './base-url.ts';
import { assertDistinctWorkspaces } from './load.ts';
import { assertKeysCanBeHidden } from './secrets.ts';

/** A key, where it is used at another base URL, or in a workspace of its own account. */
export type KeyOptions = string | ({ readonly key: string } & Pick<RoleKey, 'baseUrl' | 'workspace' | 'board'>);

/** A deployment as a program describes it; the members are those of the configuration. */
export interface TargetOptions {
  readonly baseUrl: string;
  readonly keys: Readonly<Partial<Record<Role, KeyOptions>>>;
  /** Reached by `primary`: the first is worked in, the second is "another workspace". */
  readonly workspaces?: readonly WorkspaceChoice[];
  readonly shape?: string;
  /** Side effects; none by default. */
  readonly allow?: readonly Effect[];
  readonly maxImages?: number;
  readonly clock?: Clock;
  readonly pace?: Partial<Pace>;
  /** Sent with every request, and secret. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Lets keys travel unencrypted to other machines. */
  readonly insecure?: boolean;
  /** Responds in the place of the network: `stub.dispatcher`. */
  readonly dispatcher?: Dispatcher;
}

/** A target with the defaults of the configuration. Throws a UsageError that names the member at fault. */
export function defineTarget(options: TargetOptions): Target {
  const { keys: given, workspaces = [], shape, allow = [], clock, pace, dispatcher, insecure = false } = options;
  const baseUrl = addressOf(options.baseUrl, 'baseUrl', insecure);
  const unknown = Object.keys(given).find((role) => !isRole(role));
  if (unknown !== undefined) throw new UsageError(`keys.${unknown}: expected one of the roles ${roles.join(', ')}`);
  const effect = allow.find((each) => !effects.includes(each));
  if (effect !== undefined) throw new UsageError(`allow: expected some of ${effects.join(', ')}, got '${effect}'`);
  assertDistinctWorkspaces({ workspaces: [...workspaces] });
  const keys: Target['keys'] = {};
  for (const role of roles) {
    const key = given[role];
    if (key !== undefined) keys[role] = keyOf(role, key, insecure);
  }
  const headers = Object.entries(options.headers ?? {}).map(([name, value], index) => {
    return { name: name.toLowerCase(), value, variable: `HEADER_${index + 1}` };
  });
  const target: Target = {
    baseUrl,
    kind: 'config',
    keys,
    workspaces: [...workspaces],
    ...(shape === undefined ? {} : { shape }),
    allow: [...allow],
    maxImages: options.maxImages ?? defaultMaxImages,
    ...(clock === undefined ? {} : { clock }),
    pace: { ...defaultPace, ...pace },
    headers,
    secrets: [...Object.values(keys).map(({ key }) => key), ...headers.map(({ value }) => value)],
    ...(dispatcher === undefined ? {} : { dispatcher }),
  };
  assertKeysCanBeHidden(target);
  return target;
}

function keyOf(role: Role, given: KeyOptions, insecure: boolean): RoleKey {
  const { key, baseUrl, ...place } = typeof given === 'string' ? { key: given } : given;
  if (typeof key !== 'string') throw new UsageError(`keys.${role}: expected a key`);
  const own = baseUrl === undefined ? {} : { baseUrl: addressOf(baseUrl, `keys.${role}.baseUrl`, insecure) };
  return { role, key, variable: roleEnv(role), ...place, ...own };
}

function addressOf(given: string, field: string, insecure: boolean): string {
  const baseUrl = parseBaseUrl(given, field);
  // What has no address goes nowhere: the top-level domain is reserved for that.
  if (!new URL(baseUrl).hostname.endsWith('.invalid')) assertSafeForSecrets(baseUrl, field, insecure);
  return baseUrl;
}
