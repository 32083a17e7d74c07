import { isRole, type Role, roleEnv, roles } from '../../fixtures/roles.ts';
import { effects } from '../../fixtures/side-effects.ts';
import { isTraceUrl, traceUrlForm } from '../../fixtures/target-config.ts';
import { withoutUndefined } from '../json.ts';
import { UsageError } from '../usage/usage-error.ts';
import { assertTls } from './secret.ts';
import { assertKeysCanBeHidden } from './secrets.ts';
import {
  defaultMaxImages,
  defaultPace,
  type ExtraHeader,
  type Pace,
  type RoleKey,
  safeBaseUrl,
  type Target,
  type WorkspaceChoice,
} from './target.ts';

/** A key, optionally with its own base URL, or with a workspace and a board of its account. */
export type KeyOptions = string | ({ readonly key: string } & Pick<RoleKey, 'baseUrl' | 'workspace' | 'board'>);

/** A deployment as a program describes it. The members match those of the configuration. */
export interface TargetOptions
  extends Readonly<Partial<Omit<Target, 'baseUrl' | 'keys' | 'pace' | 'headers' | 'kind' | 'secrets'>>> {
  readonly baseUrl: string;
  readonly keys: Readonly<Partial<Record<Role, KeyOptions>>>;
  readonly pace?: Partial<Pace>;
  /** Sent with every request. The values are secret. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Allows unencrypted keys to other machines. */
  readonly insecure?: boolean;
}

/** Returns a target with the defaults of the configuration. Throws a UsageError that names the wrong member. */
export function defineTarget(options: TargetOptions): Target {
  const { keys: given, workspaces = [], allow = [], trace, tls, insecure = false, ...others } = options;
  const baseUrl = addressOf(options.baseUrl, 'baseUrl', insecure);
  const unknown = Object.keys(given).find((role) => !isRole(role));
  if (unknown !== undefined) throw new UsageError(`keys.${unknown}: expected one of the roles ${roles.join(', ')}`);
  const effect = allow.find((name) => !effects.includes(name));
  if (effect !== undefined) throw new UsageError(`allow: expected some of ${effects.join(', ')}, got '${effect}'`);
  const traceUrl = trace === false ? undefined : trace?.url;
  if (traceUrl !== undefined && !isTraceUrl(traceUrl)) {
    throw new UsageError(`trace.url: expected ${traceUrlForm}, got '${traceUrl}'`);
  }
  assertDistinctWorkspaces(workspaces);
  const keys: Target['keys'] = {};
  for (const role of roles) {
    const key = given[role];
    if (key !== undefined) keys[role] = keyOf(role, key, insecure);
  }
  const headers = Object.entries(options.headers ?? {}).map(([name, value], index) => {
    return { name: name.toLowerCase(), value, variable: `HEADER_${index + 1}` };
  });
  if (tls !== undefined) assertTls(tls);
  return targetOf({ ...others, baseUrl, kind: 'config', keys, workspaces, allow, trace, tls, headers, secrets: [] });
}

function keyOf(role: Role, given: KeyOptions, insecure: boolean): RoleKey {
  const { key, baseUrl, ...place } = typeof given === 'string' ? { key: given } : given;
  if (typeof key !== 'string') throw new UsageError(`keys.${role}: expected a key`);
  const own = baseUrl === undefined ? {} : { baseUrl: addressOf(baseUrl, `keys.${role}.baseUrl`, insecure) };
  return { role, key, variable: roleEnv(role), ...place, ...own };
}

function addressOf(given: string, field: string, insecure: boolean): string {
  // The top-level domain `.invalid` is reserved and has no addresses, so no key can leave this machine.
  const isNowhere = URL.parse(given)?.hostname.endsWith('.invalid') === true;
  return safeBaseUrl(given, field, insecure || isNowhere);
}

/** Throws a UsageError if a workspace is listed twice. */
export function assertDistinctWorkspaces(workspaces: readonly Pick<WorkspaceChoice, 'slug'>[] = []): void {
  workspaces.forEach(({ slug }, index) => {
    const first = workspaces.findIndex((other) => other.slug === slug);
    if (first === index) return;
    throw new UsageError(
      `workspaces[${index}].slug: expected each workspace once, got '${slug}' again, as in workspaces[${first}]`,
    );
  });
}

/** A target without the defaults. `secrets`: values to hide, besides keys and headers. */
type Parts = Omit<Target, 'maxImages' | 'pace'> & {
  readonly maxImages?: number | undefined;
  readonly pace?: { readonly [Limit in keyof Pace]?: Pace[Limit] | undefined } | undefined;
};

/** Returns the secret values of headers. */
export const secretsIn = (headers: readonly ExtraHeader[]) =>
  headers.flatMap(({ value, variable }) => (variable === undefined ? [] : [value]));

/** Returns a target, with defaults. Throws a UsageError if a key is part of a text that reports show. */
export function targetOf({ maxImages = defaultMaxImages, pace = {}, secrets, ...parts }: Parts): Target {
  const target: Target = {
    ...parts,
    maxImages,
    pace: { ...defaultPace, ...withoutUndefined(pace) },
    secrets: [
      ...new Set([...Object.values(parts.keys).map(({ key }) => key), ...secretsIn(parts.headers), ...secrets]),
    ],
  };
  assertKeysCanBeHidden(target);
  return target;
}
