import type { RunResult } from '../../suites/result.ts';
import { whyNotWritten, writeWhole } from '../../suites/usage/files.ts';
import { readText, whyNotRead } from '../../suites/usage/read-file.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { type KnownFailure, loadKnownFailures, mostOfKnownFailures } from './load.ts';
import { proposeKnownFailures } from './propose.ts';

/** Adds failed requirements to a list of known failures. Creates the file if necessary. Returns the added IDs. */
export async function updateKnownFailures(result: RunResult, path: string): Promise<string[]> {
  const existing = await existingText(path);
  const { text, added } = proposeKnownFailures(result, path.endsWith('.json') ? 'json' : 'yaml', existing);
  if (added.length === 0) return added;
  await writeWhole(path, text).catch((error: unknown) => {
    throw new UsageError(`Cannot write the known failures: '${path}': ${whyNotWritten(error)}`);
  });
  return added;
}

/** Reads the list that a run updates. A missing or empty file has no entries. */
export async function loadUpdatedList(path: string): Promise<KnownFailure[]> {
  return (await existingText(path)).trim() === '' ? [] : loadKnownFailures(path);
}

function existingText(path: string): Promise<string> {
  return readText(path, mostOfKnownFailures).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new UsageError(`Cannot read the known failures: '${path}' ${whyNotRead(error)}`);
  });
}
