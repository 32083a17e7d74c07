import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SecretReference } from '../../fixtures/target-config.ts';
import { UsageError } from '../usage/usage-error.ts';

/** Where the references of a configuration are looked up. */
export interface SecretSources {
  env: Readonly<Record<string, string | undefined>>;
  /** Folder that relative paths start from, and in which commands are started. */
  folder: string;
  /** How long a command may take. */
  timeoutSeconds: number;
}

/** The value that a reference stands for. No message holds the value; `field` names the reference, e.g. `keys.primary`. */
export async function resolveSecret(
  reference: SecretReference,
  field: string,
  sources: SecretSources,
): Promise<string> {
  if (reference.env !== undefined) return fromEnvironment(reference.env, `${field}.env`, sources.env);
  if (reference.file !== undefined) return fromFile(reference.file, `${field}.file`, sources.folder);
  return fromCommand(reference.command ?? [], `${field}.command`, sources);
}

function fromEnvironment(name: string, field: string, env: SecretSources['env']): string {
  const value = env[name];
  if (value === undefined) {
    throw new UsageError(`${field}: expected an environment variable that is set, but ${name} is not`);
  }
  return value;
}

async function fromFile(path: string, field: string, folder: string): Promise<string> {
  try {
    return withoutLineBreak(await readFile(resolve(folder, path), 'utf8'));
  } catch (error) {
    throw new UsageError(`${field}: expected a file that can be read, but '${path}' ${reasonOf(error)}`);
  }
}

async function fromCommand(command: readonly string[], field: string, sources: SecretSources): Promise<string> {
  const [program = '', ...args] = command;
  const options = {
    cwd: sources.folder,
    env: { ...sources.env },
    timeout: sources.timeoutSeconds * 1000,
    maxBuffer: 1024 * 1024,
  };
  // Neither its output nor Node's message is shown: both may hold the secret.
  const output = await new Promise<string>((fulfil, reject) => {
    const child = execFile(program, args, options, (error, stdout) => {
      if (error === null) fulfil(stdout);
      else
        reject(new UsageError(`${field}: expected '${program}' to print the secret, but it ${endOf(error, sources)}`));
    });
    child.stdin?.end();
  });
  return withoutLineBreak(output);
}

function endOf(error: { code?: unknown; killed?: boolean }, sources: SecretSources): string {
  if (error.code === 'ENOENT') return 'was not found';
  if (error.code === 'EACCES') return 'may not be started';
  if (error.killed === true) return `had not ended after ${sources.timeoutSeconds} seconds`;
  return typeof error.code === 'number' ? `ended with exit code ${error.code}` : 'could not be run';
}

/** Why a file could not be read, to follow its name. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'does not exist';
  if (code === 'EISDIR') return 'is a folder';
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read';
  return `cannot be read (${String(code ?? 'unknown reason')})`;
}

function withoutLineBreak(value: string): string {
  return value.replace(/\r?\n$/, '');
}

/** Throws a UsageError unless the value can stand after `Bearer ` in a header. The message never holds the value. */
export function assertKey(value: string, field: string): void {
  if (value === '') throw new UsageError(`${field}: expected a key, found an empty text`);
  if (/^\s|\s$/.test(value)) {
    throw new UsageError(`${field}: expected a key without white space, found some at its beginning or end`);
  }
  if (/\s/.test(value)) throw new UsageError(`${field}: expected a key without white space, found some within it`);
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new UsageError(`${field}: expected a key of visible ASCII characters, which alone may stand in a header`);
  }
}

/** Throws a UsageError unless the value is legal in a header. The message never holds the value. */
export function assertHeaderValue(value: string, field: string): void {
  if (/^[\t\x20-\x7e]*$/.test(value) && value.trim() === value && value !== '') return;
  throw new UsageError(
    `${field}: expected visible ASCII characters, which alone may stand in a header, and no white space around them`,
  );
}
