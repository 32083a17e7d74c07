import { resolve } from 'node:path';
import { exitCodes, type Surroundings } from '../fixtures/process.ts';
import { requirements } from '../fixtures/requirements/index.ts';
import { requiredIds, splitPatterns } from '../suites/selection.ts';
import { loadReport } from './load.ts';
import { mergeResults } from './merge/merge.ts';
import { lookOf } from './terminal/look.ts';
import { renderSummary } from './terminal/summary.ts';
import { writeReports } from './write.ts';

/** Options of `tck merge`, as they come from the command line. */
export interface MergeOptions {
  /** Each a `report.json`, or the folder that it is in. */
  reports: readonly string[];
  out: string;
  require?: readonly string[] | undefined;
}

/** The body of `tck merge`: writes one report for several, tells what came of it, and gives the exit code of its verdict. */
export async function merge(options: MergeOptions, around: Surroundings): Promise<number> {
  const required = requiredIds(requirements, splitPatterns(options.require, '--require'));
  const results = await Promise.all(options.reports.map((place) => loadReport(resolve(around.cwd, place))));
  const result = mergeResults(results, required);
  await writeReports(result, resolve(around.cwd, options.out));
  around.stdout.write(renderSummary(result, { ...lookOf(around.stdout, around.env), reportDir: options.out }));
  return exitCodes[result.verdict];
}
