import { resolve } from 'node:path';
import type { WatchFigures } from '../reports/metrics.ts';
import type { RunResult } from '../suites/result.ts';
import { whyNotWritten, writeWhole } from '../suites/usage/files.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import type { Surroundings } from './process/surroundings.ts';

/** Writes the file of `--metrics`, if the option is given. A collector never reads a part of the file. */
export async function writeMetrics(
  path: string | undefined,
  result: RunResult,
  { cwd }: Pick<Surroundings, 'cwd'>,
  watch?: WatchFigures,
): Promise<void> {
  if (path === undefined) return;
  const { metricsText } = await import('../reports/metrics.ts');
  await writeWhole(resolve(cwd, path), metricsText(result, watch)).catch((error: unknown) => {
    throw new UsageError(`--metrics: cannot write ${path}: ${whyNotWritten(error)}`);
  });
}
