import { type Role, roleEnv, roles } from '../../fixtures/roles.ts';
import type { TargetConfig } from '../../fixtures/target-config.ts';
import { didYouMean, UsageError } from '../usage/usage-error.ts';
import { assertKey, resolveSecret, type SecretSources } from './secret.ts';
import { type RoleKey, safeBaseUrl, type Target } from './target.ts';

type KeyReference = NonNullable<NonNullable<TargetConfig['keys']>[Role]>;

/** Returns the keys that a configuration references. Throws a UsageError that names the wrong field. */
export async function keysOfConfig(
  references: NonNullable<TargetConfig['keys']>,
  sources: SecretSources,
): Promise<Target['keys']> {
  const keys: Target['keys'] = {};
  for (const role of roles) {
    const reference = references[role];
    if (reference !== undefined) keys[role] = await keyOf(role, reference, sources);
  }
  if (Object.keys(keys).length === 0) {
    throw new UsageError(
      'keys: expected a key for at least one role, such as "primary": { "env": "TCK_KEY_PRIMARY" }, got none',
    );
  }
  return keys;
}

async function keyOf(role: Role, reference: KeyReference, sources: SecretSources): Promise<RoleKey> {
  const field = `keys.${role}`;
  const readAtMs = Date.now();
  const key = await resolveSecret(reference, field, sources);
  const name = reference.env ?? roleEnv(role);
  assertKey(key, reference.env === undefined ? field : `${field}.env (${name})`);
  const { lifetime, command, workspace, board, baseUrl } = reference;
  if (lifetime !== undefined && command === undefined) {
    throw new UsageError(`${field}.lifetime: expected only beside "command", since only a command prints a new key`);
  }
  const read = () => resolveSecret(reference, field, sources);
  const renewal = lifetime === undefined ? undefined : { lifetimeMs: secondsIn(lifetime) * 1000, readAtMs, read };
  const own = baseUrl === undefined ? undefined : safeBaseUrl(baseUrl, `${field}.baseUrl`, sources.insecure);
  return { role, key, variable: name, renewal, workspace, board, baseUrl: own };
}

const prefix = 'TCK_KEY_';

/**
 * Returns the keys in the variables `TCK_KEY_…`, one per role. Throws a UsageError for a variable without a role, and
 * if there is no key.
 */
export function keysOfEnvironment(env: Readonly<Record<string, string | undefined>>): Target['keys'] {
  const variables = roles.map(roleEnv);
  for (const name of Object.keys(env)) {
    if (!name.startsWith(prefix) || variables.includes(name)) continue;
    throw new UsageError(`${name}: no role uses this variable${didYouMean(name, variables)}`);
  }
  const keys: Target['keys'] = {};
  for (const role of roles) {
    const variable = roleEnv(role);
    const key = env[variable];
    if (key === undefined) continue;
    assertKey(key, variable);
    keys[role] = { role, key, variable };
  }
  if (Object.keys(keys).length === 0) {
    throw new UsageError(
      `no key: set ${roleEnv('primary')} (and ${roleEnv('otherAccount')} and so on, one variable for each role), ` +
        'or pass --config FILE',
    );
  }
  return keys;
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** Returns the seconds of a duration such as `30s`, `10m` or `2h`, as the schema of the configuration has it. */
const secondsIn = (duration: string) => Number(duration.slice(0, -1)) * (unitSeconds[duration.slice(-1)] ?? Number.NaN);
