import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { validateHeaderName } from 'node:http';
import { join, resolve, sep } from 'node:path';
import type { HeaderReferences, SecretReference, TlsReferences } from '../../fixtures/target-config.ts';
import { kilobyte, readText, whyNotRead } from '../usage/read-file.ts';
import { UsageError } from '../usage/usage-error.ts';
import type { ClientTls, ExtraHeader } from './target.ts';

export interface SecretSources {
  env: Readonly<Record<string, string | undefined>>;
  /** Folder for relative paths, and working directory of commands. */
  folder: string;
  /** If false, a placeholder replaces the output of a command. */
  runsCommands: boolean;
  /** Whether only variables `TCK_…` and files below `folder` may be read, because somebody else may have written it. */
  restricted: boolean;
  /** Allows unencrypted secrets to other machines. */
  insecure: boolean;
}

/**
 * Returns the value of a reference. Error messages never contain the value. `field` names the reference, for example
 * `keys.primary`.
 */
export async function resolveSecret(
  reference: SecretReference,
  field: string,
  sources: SecretSources,
): Promise<string> {
  if (reference.env !== undefined) return fromEnvironment(reference.env, `${field}.env`, sources);
  if (reference.file !== undefined) return fromFile(reference.file, `${field}.file`, sources);
  return fromCommand(reference.command ?? [], `${field}.command`, sources);
}

/** What to do if the configuration is not trusted. */
const toTrust = 'to allow others, pass --config FILE without --no-commands';

function fromEnvironment(name: string, field: string, { env, restricted }: SecretSources): string {
  if (restricted && !name.startsWith('TCK_')) {
    throw new UsageError(`${field}: expected a variable that starts with TCK_, got ${name}; ${toTrust}`);
  }
  const value = env[name];
  // The environment is an object, so a name such as `__proto__` has a value that is not a string.
  if (typeof value !== 'string') {
    throw new UsageError(`${field}: expected the environment variable ${name} to be set, but it is not`);
  }
  return value;
}

/** Far more than a header can hold. */
const mostOfSecret = 64 * kilobyte;

async function fromFile(path: string, field: string, { folder, restricted }: SecretSources): Promise<string> {
  try {
    if (restricted) await assertBelow(resolve(folder, path), path, field, folder);
    return withoutLineBreak(await readText(resolve(folder, path), mostOfSecret));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${field}: expected a file that can be read, but '${path}' ${whyNotRead(error)}`);
  }
}

/** Symbolic links count as the files to which they lead. */
async function assertBelow(full: string, path: string, field: string, folder: string): Promise<void> {
  const [file, base] = await Promise.all([realpath(full), realpath(folder)]);
  if (file.startsWith(join(base, sep))) return;
  throw new UsageError(`${field}: expected a file below the folder of the configuration, got '${path}'; ${toTrust}`);
}

/** Time limit of a command that prints a secret. */
const patienceSeconds = 30;

async function fromCommand(command: readonly string[], field: string, sources: SecretSources): Promise<string> {
  if (!sources.runsCommands) return randomUUID();
  const { outputOf } = await import('../usage/program.ts');
  const options = { cwd: sources.folder, env: sources.env, timeoutSeconds: patienceSeconds };
  const output = await outputOf(command, options).catch((error: Error) => {
    throw new UsageError(`${field}: expected '${command[0]}' to print the secret, but it ${error.message}`);
  });
  return withoutLineBreak(output);
}

const withoutLineBreak = (value: string) => value.replace(/\r?\n$/, '');

/** A shorter key is indistinguishable from other text, so it cannot be redacted. */
const shortestKey = 12;

const badKeys: readonly (readonly [form: RegExp, problem: string])[] = [
  [/^$/, 'a key, got an empty value'],
  [/^\s|\s$/, 'a key without white space, got some at its beginning or end'],
  [/\s/, 'a key without white space, got some within it'],
  [/[^\x21-\x7e]/, 'a key of visible ASCII characters, because a header cannot contain other characters'],
];

/**
 * Throws a UsageError unless the value can follow `Bearer ` in a header and can be redacted. The message never contains
 * the value.
 */
export function assertKey(value: string, field: string): void {
  const [, problem] = badKeys.find(([form]) => form.test(value)) ?? [];
  if (problem !== undefined) throw new UsageError(`${field}: expected ${problem}`);
  if (value.length >= shortestKey) return;
  throw new UsageError(
    `${field}: expected a key of at least ${shortestKey} characters, got ${value.length}; the ` +
      'kit cannot hide a shorter key in reports',
  );
}

/** Throws a UsageError unless the value is valid in a header. The message never contains the value. */
function assertHeaderValue(value: string, field: string): void {
  if (/^[\t\x20-\x7e]*$/.test(value) && value.trim() === value && value !== '') return;
  throw new UsageError(
    `${field}: expected visible ASCII characters without white space around them, because of the rules for headers`,
  );
}

const reserved = [
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Returns the extra headers. A value is secret, and has a variable, unless the configuration contains it. */
export async function resolveHeaders(
  references: HeaderReferences,
  field: string,
  sources: SecretSources,
): Promise<ExtraHeader[]> {
  const headers: ExtraHeader[] = [];
  for (const [name, reference] of Object.entries(references)) {
    const here = `${field}.${name}`;
    assertHeaderName(name, here);
    const value = typeof reference === 'string' ? reference : await resolveSecret(reference, here, sources);
    assertHeaderValue(value, here);
    if (typeof reference === 'string') {
      headers.push({ name, value });
      continue;
    }
    // A variable stands for a value from a file or a program, for example `TCK_HEADER_X_GATEWAY`.
    const variable = reference.env ?? `TCK_HEADER_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
    headers.push({ name, value, variable });
  }
  return headers;
}

function assertHeaderName(name: string, field: string): void {
  if (reserved.includes(name.toLowerCase())) {
    throw new UsageError(`${field}: expected a header that the kit does not set itself`);
  }
  try {
    validateHeaderName(name);
  } catch {
    throw new UsageError(`${field}: expected the name of a header, got characters that a name cannot contain`);
  }
}

const members = ['cert', 'key', 'ca'] as const;

/** Returns the certificates that a configuration references. Throws a UsageError that names the wrong field. */
export async function resolveTls(references: TlsReferences, sources: SecretSources): Promise<ClientTls | undefined> {
  const given = members.flatMap((name) => (references[name] === undefined ? [] : [[name, references[name]] as const]));
  // Without the output of the commands, the kit sends nothing.
  if (!sources.runsCommands && given.some(([, { command }]) => command !== undefined)) return undefined;
  const tls: ClientTls = {};
  for (const [name, reference] of given) tls[name] = await resolveSecret(reference, `tls.${name}`, sources);
  assertTls(tls);
  return tls;
}

/** Throws a UsageError unless connections can use the certificates. Messages never contain the key. */
export function assertTls({ cert, key, ca }: ClientTls): void {
  if (cert !== undefined && key === undefined) throw new UsageError('tls.key: expected the key of tls.cert, got none');
  if (key !== undefined && cert === undefined)
    throw new UsageError('tls.cert: expected the certificate of tls.key, got none');
  const read = <Value>(field: string, what: string, make: () => Value): Value => {
    try {
      return make();
    } catch {
      throw new UsageError(`${field}: expected ${what} in PEM, got something else`);
    }
  };
  if (ca !== undefined) read('tls.ca', 'certificates', () => new X509Certificate(ca));
  if (cert === undefined || key === undefined) return;
  const certificate = read('tls.cert', 'a certificate', () => new X509Certificate(cert));
  const privateKey = read('tls.key', 'a private key without a passphrase', () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new UsageError('tls.key: expected the key of tls.cert, got the key of another certificate');
  }
}
