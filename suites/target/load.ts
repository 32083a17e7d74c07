import { type Role, roleEnv, roles } from '../../fixtures/roles.ts';
import { type Effect, effects } from '../../fixtures/side-effects.ts';
import type { TargetConfig } from '../../fixtures/target-config.ts';
import { didYouMean, UsageError } from '../usage/usage-error.ts';
import { clockByCommand, clockByUrl } from './clock.ts';
import { type Consent, commandsOf, destinationsOf } from './commands.ts';
import type { ConfigFile } from './config-file.ts';
import { assertDistinctWorkspaces, secretsIn, targetOf } from './define.ts';
import { assertKey, resolveHeaders, resolveSecret, resolveTls, type SecretSources } from './secret.ts';
import { assertSafeForSecrets, type ClientTls, type Clock, type RoleKey, safeBaseUrl, type Target } from './target.ts';

/** Target options of a command line. */
export interface TargetRequest {
  /** Overrides `baseUrl` of the configuration. */
  url?: string | undefined;
  /** Path of a configuration. Default: none. */
  config?: string | undefined;
  /** Replaces `allow` of the configuration. */
  allow?: Effect[] | undefined;
  /** Allows unencrypted keys to other machines. */
  insecure?: boolean | undefined;
}

/** Sources for references and relative paths. */
export interface Environment {
  env: Readonly<Record<string, string | undefined>>;
  /** Folder for relative paths. */
  cwd: string;
  /** Decides about the commands of a configuration. By default, a configuration with commands is refused. */
  consent?: Consent | undefined;
  /** Whether a configuration may only name variables `TCK_…` and files below its folder. Default: no. */
  restricted?: boolean | undefined;
}

/** A target, with notices about its configuration. */
export interface LoadedTarget {
  target: Target;
  notices: string[];
  /** Hosts that get secrets, each with the sources. */
  destinations: string[];
}

/** A target that is already known, such as the embedded stub. A configuration only sets how to use it. */
export type KnownTarget = Pick<Target, 'baseUrl' | 'kind' | 'keys' | 'workspaces' | 'secrets'> &
  Partial<Pick<Target, 'clock' | 'dispatcher' | 'shape'>>;

/** Loads the target of a URL, a configuration, or both. Throws a UsageError that names the wrong field. */
export async function loadTarget(asked: TargetRequest, around: Environment): Promise<LoadedTarget> {
  const file = await configOf(asked.config, around.cwd);
  const config = file?.config ?? {};
  const sources: SecretSources = {
    env: around.env,
    folder: file?.folder ?? around.cwd,
    runsCommands: runsCommands(config, around.consent),
    restricted: around.restricted ?? false,
    insecure: asked.insecure ?? false,
  };
  const address = asked.url ?? config.baseUrl;
  if (address === undefined) {
    throw new UsageError('no target: pass a URL, --stub, --image, or --config FILE with a baseUrl in it');
  }
  const field = asked.url === undefined ? 'baseUrl' : 'url';
  const baseUrl = safeBaseUrl(address, field, sources.insecure);
  assertDistinctWorkspaces(config.workspaces);

  const keys = file === undefined ? keysOfEnvironment(around.env) : await keysOfConfig(config.keys ?? {}, sources);
  const headers = await resolveHeaders(config.headers ?? {}, 'headers', sources);
  const tls = config.tls === undefined ? undefined : await resolveTls(config.tls, sources);
  const clock = await clockOf(config, sources, tls);
  const target = targetOf({
    ...settingsFrom(config, asked, []),
    baseUrl,
    kind: asked.url === undefined ? 'config' : 'url',
    keys,
    workspaces: config.workspaces ?? [],
    shape: config.shape,
    clock: clock?.clock,
    documentUrl: config.documentUrl,
    headers,
    tls,
    secrets: clock?.secrets ?? [],
  });
  return {
    target,
    notices: [...noticesOfSharedKeys(keys), ...noticesOfIdleEffects(target)],
    destinations: destinationsOf(config, target),
  };
}

/**
 * Applies a configuration to a known target. Only `allow`, `pace`, `maxImages`, `maxCredits` and `trace` count. All
 * side effects are allowed by default.
 */
export async function loadKnownTarget(
  known: KnownTarget,
  asked: Pick<TargetRequest, 'config' | 'allow'>,
  around: Environment,
): Promise<LoadedTarget> {
  const file = await configOf(asked.config, around.cwd);
  const target = targetOf({ headers: [], ...known, ...settingsFrom(file?.config ?? {}, asked, [...effects]) });
  const isIgnored = file?.config.baseUrl !== undefined || file?.config.keys !== undefined;
  const notices = isIgnored ? [`the embedded stub is tested; ${asked.config} names another deployment`] : [];
  return { target, notices: [...notices, ...noticesOfIdleEffects(target)], destinations: [] };
}

const refuse: Consent = ([first]) => {
  throw new UsageError(`${first?.field}: expected no command, since none may run here`);
};

function runsCommands(config: TargetConfig, consent: Consent = refuse): boolean {
  const commands = commandsOf(config);
  return commands.length === 0 || consent(commands);
}

async function configOf(path: string | undefined, cwd: string): Promise<ConfigFile | undefined> {
  if (path === undefined) return undefined;
  const { readConfigFile } = await import('./config-file.ts');
  return readConfigFile(path, cwd);
}

function settingsFrom(
  { maxImages, maxCredits, pace, ...config }: TargetConfig,
  { allow }: Pick<TargetRequest, 'allow'>,
  otherwise: Effect[],
) {
  const trace = config.trace === true ? {} : config.trace;
  return { allow: allow ?? config.allow ?? otherwise, maxImages, maxCredits, pace, trace };
}

async function clockOf(
  config: TargetConfig,
  sources: SecretSources,
  tls: ClientTls | undefined,
): Promise<{ clock: Clock; secrets: string[] } | undefined> {
  const advance = config.clock?.advance;
  if (advance === undefined) return undefined;
  const field = 'clock.advance';
  if (advance.command !== undefined) {
    if (advance.headers !== undefined)
      throw new UsageError(`${field}.headers: expected only beside "url", got it beside "command"`);
    if (!advance.command.slice(1).some((arg) => arg.includes('{seconds}'))) {
      throw new UsageError(`${field}.command: expected an argument with {seconds}, got none`);
    }
    return { clock: clockByCommand(advance.command, sources.folder), secrets: [] };
  }
  const url = advance.url ?? '';
  const headers = await resolveHeaders(advance.headers ?? {}, `${field}.headers`, sources);
  if (!/^https?:/.test(url) || !URL.canParse(url)) {
    throw new UsageError(`${field}.url: expected an http or https URL, got something else`);
  }
  const secrets = secretsIn(headers);
  if (secrets.length > 0) assertSafeForSecrets(url, `${field}.url`, sources.insecure);
  return { clock: clockByUrl(url, headers, tls), secrets };
}

/**
 * Roles that differ in how a workspace is resolved. A valid key plays exactly one of them, and may also be `primary`.
 */
const resolving: readonly Role[] = ['ambiguous', 'pinned', 'defaulted', 'sole'];

/**
 * Finds keys that two roles share at one base URL. Returns a notice if one key can play both roles. Otherwise throws a
 * UsageError, because rules that compare the roles would report false findings.
 */
function noticesOfSharedKeys(keys: Target['keys']): string[] {
  const all = Object.values(keys);
  return all.flatMap((one, index) =>
    all
      .slice(index + 1)
      .filter(({ key, baseUrl }) => key === one.key && baseUrl === one.baseUrl)
      .map((other) => noticeOf(one, other)),
  );
}

function noticeOf(one: RoleKey, other: RoleKey): string {
  const both = [one.role, other.role];
  if (both.includes('primary') && both.some((role) => resolving.includes(role))) {
    return `keys.${one.role} and keys.${other.role} are the same key`;
  }
  throw new UsageError(
    `keys.${other.role}: expected a key other than that of keys.${one.role}, got the same key; ` +
      'one key cannot have both roles',
  );
}

/** Returns one sentence for each allowed side effect that does nothing because something else is missing. */
function noticesOfIdleEffects({ allow, keys }: Pick<Target, 'allow' | 'keys'>): string[] {
  const notices: string[] = [];
  if (allow.includes('spending') && !allow.includes('proposals')) {
    notices.push("'spending' has no effect without 'proposals': allow both to confirm images");
  }
  if (allow.includes('throttling') && keys.throttled === undefined) {
    notices.push("'throttling' has no effect without a key for the role 'throttled'");
  }
  return notices;
}

type KeyReference = NonNullable<NonNullable<TargetConfig['keys']>[Role]>;

/** Returns the keys that a configuration references. Throws a UsageError that names the wrong field. */
async function keysOfConfig(
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
function keysOfEnvironment(env: Readonly<Record<string, string | undefined>>): Target['keys'] {
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
