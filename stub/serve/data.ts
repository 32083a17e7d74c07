import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { UsageError } from '../../suites/usage/usage-error.ts';
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

/**
 * Returns the data that a sandbox starts with: of a data file, of a recording, or none. `warn` prints what the stub
 * does not reproduce of the recording. Rejects with a UsageError if the file is not usable.
 */
export async function startData(
  { data, from, seed }: { data?: string | undefined; from?: string | undefined; seed?: number | undefined },
  warn?: (text: string) => void,
): Promise<WorldData | undefined> {
  if (from === undefined) return data === undefined ? undefined : readData(data);
  if (data !== undefined) {
    throw new UsageError('--from: expected without --data');
  }
  const { dataFrom } = await import('../recording/data-from.ts');
  try {
    const recorded = await dataFrom(from, seed);
    warn?.(recorded.summary);
    return recorded.data;
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`--from: ${error.message}`);
    throw error;
  }
}

/** Returns the first line. The YAML parser adds an excerpt of the file below it. */
export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
