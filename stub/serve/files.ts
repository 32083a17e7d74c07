import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { faultsOf, type Profile, profileNames } from '../profiles/profile.ts';
import { parseData, type WorldData } from '../world/data.ts';
import { createWorld } from '../world/world.ts';

/** Reads data in JSON or YAML. Rejects with a UsageError that names the file and each invalid member. */
export async function readData(path: string): Promise<WorldData> {
  try {
    // JSON is valid YAML.
    const data = parseData(parse(await readFile(path, 'utf8')));
    // Validates members that depend on each other.
    createWorld(1, undefined, { data });
    return data;
  } catch (error) {
    throw new UsageError(`--data: ${path}: ${messageOf(error)}`);
  }
}

/** Reads a profile by name, or from a file in JSON or YAML. Rejects with a UsageError that names the invalid member. */
export async function readProfile(given: string): Promise<Profile> {
  try {
    return faultsOf(profileNames.includes(given) ? given : parse(await readFile(given, 'utf8')));
  } catch (error) {
    const names = error instanceof Error && 'code' in error ? ` (profiles: ${profileNames.join(', ')})` : '';
    throw new UsageError(`--profile: ${given}: ${messageOf(error)}${names}`);
  }
}

/** Returns the first line. The YAML parser adds an excerpt of the file below it. */
function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
