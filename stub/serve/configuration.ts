import { chmod, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Role } from '../../fixtures/roles.ts';
import { effects } from '../../fixtures/side-effects.ts';
import { makeFolder, refuseLink, whyNotWritten, writeWhole } from '../../suites/usage/files.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import type { Stub } from '../index.ts';
import { clockOf } from './announce.ts';

type Source = Pick<Stub, 'keys' | 'roles' | 'workspaces' | 'otherAccount' | 'shape' | 'control'>;

/**
 * Writes a configuration for `tck run`, and each key to a separate file in the folder `<file>.keys`. Only the owner can
 * read the keys. The configuration uses relative paths, so both can be moved together. Rejects with a UsageError if
 * writing fails.
 */
export async function writeConfiguration(file: string, stub: Source, baseUrl: string): Promise<void> {
  const folder = `${file}.keys`;
  const secrets = new Map<string, string>(stub.roles.map((role) => [role, stub.keys[role]]));
  if (stub.control !== null) secrets.set('control-token', stub.control.token);
  try {
    await refuseLink(folder);
    await makeFolder(folder);
    await chmod(folder, 0o700);
    await Promise.all([...secrets].map(([name, secret]) => writeSecret(join(folder, name), secret)));
    await writeWhole(file, `${JSON.stringify(configuration(basename(folder), stub, baseUrl), null, 2)}\n`);
  } catch (error) {
    throw new UsageError(`cannot write the configuration to ${file}: ${whyNotWritten(error)}`);
  }
}

/** Replaces the file, because an existing one may be readable by other users. */
async function writeSecret(file: string, secret: string): Promise<void> {
  await rm(file, { force: true });
  await writeFile(file, secret, { mode: 0o600, flag: 'wx' });
}

function configuration(folder: string, stub: Source, baseUrl: string): object {
  const { roles, workspaces, otherAccount, shape } = stub;
  const secret = (name: string) => ({ file: `${folder}/${name}` });
  const place = { workspace: otherAccount.slug, board: otherAccount.board };
  const key = (role: Role): object => ({ ...secret(role), ...(role === 'otherAccount' && place) });
  return {
    baseUrl,
    keys: Object.fromEntries(roles.map((role) => [role, key(role)])),
    workspaces,
    shape,
    allow: effects,
    clock: clockOf(stub, baseUrl, secret('control-token')),
  };
}
