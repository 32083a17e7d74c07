import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { type GivenProfile, isProfileName, parseProfile, profiles } from '../profiles/profile.ts';
import { messageOf } from './data.ts';

/**
 * Reads a profile by name, or from a file in JSON or YAML. Rejects with a UsageError that names each invalid member.
 */
export async function readProfile(given: string): Promise<GivenProfile> {
  if (isProfileName(given)) return given;
  try {
    // JSON is valid YAML.
    return parseProfile(parse(await readFile(given, 'utf8')));
  } catch (error) {
    const names = error instanceof Error && 'code' in error ? ` (profiles: ${Object.keys(profiles).join(', ')})` : '';
    throw new UsageError(`--profile: ${given}: ${messageOf(error)}${names}`);
  }
}
