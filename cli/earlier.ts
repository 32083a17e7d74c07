import { resolve } from 'node:path';
import { setAsidePlace } from '../reports/folder.ts';
import type { RunResult } from '../suites/result.ts';
import { isThere } from '../suites/usage/files.ts';
import { UsageError } from '../suites/usage/usage-error.ts';

/** Options that read an earlier report. The report in the folder of this run was already renamed. */
interface Earlier {
  readonly out: string;
  readonly lastFailed: boolean;
  readonly only?: readonly string[] | undefined;
}

/** The options, with `--only` set to the failures of the last report. Throws a UsageError if nothing failed. */
export async function narrowed<Options extends Earlier>(options: Options, cwd: string): Promise<Options> {
  const { lastFailed, only, out } = options;
  if (!lastFailed) return options;
  if (only !== undefined) throw new UsageError('--last-failed: expected without --only; both select requirements');
  if (!(await isThere(setAsidePlace(resolve(cwd, out), resolve(cwd, out))))) {
    throw new UsageError(`--last-failed: there is no report in '${out}'`);
  }
  const { requirements } = await loadEarlier(out, out, cwd);
  const failed = requirements.filter(({ status }) => ['failed', 'errored', 'known-failure'].includes(status));
  if (failed.length === 0) throw new UsageError(`--last-failed: nothing failed in the last report in '${out}'`);
  return { ...options, only: failed.map(({ id }) => id) };
}

/** Throws a UsageError if the report cannot be read. */
export async function loadEarlier(place: string, out: string, cwd: string): Promise<RunResult> {
  const { loadReport } = await import('../reports/load.ts');
  return loadReport(setAsidePlace(resolve(cwd, place), resolve(cwd, out)));
}
