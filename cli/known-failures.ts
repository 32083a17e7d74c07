import { resolve } from 'node:path';
import type { KnownFailure } from '../reports/known-failures/known-failures.ts';
import type { RunResult } from '../suites/result.ts';

/** Loads the list of `--known-failures`; empty without the option, and for a new list that a run will update. */
export async function knownFailuresOf(
  path: string | undefined,
  cwd: string,
  isUpdated = false,
): Promise<KnownFailure[]> {
  if (path === undefined) return [];
  const { loadKnownFailures } = await import('../reports/known-failures/known-failures.ts');
  return loadKnownFailures(resolve(cwd, path), isUpdated);
}

/** Applies the list to a result, as of the day of the run. */
export async function withKnownFailures(result: RunResult, known: readonly KnownFailure[]): Promise<RunResult> {
  if (known.length === 0) return result;
  const { applyKnownFailures } = await import('../reports/known-failures/known-failures.ts');
  return applyKnownFailures(result, known, result.startedAt.slice(0, 10));
}
