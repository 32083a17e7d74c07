import { resolve } from 'node:path';
import { exitCodeOfRun } from '../reports/exit-code.ts';
import { reportFolder, setAsidePlace, setAsideReport } from '../reports/folder.ts';
import { loadReports } from '../reports/load.ts';
import { mergeResults } from '../reports/merge/merge.ts';
import { lookOf } from '../reports/terminal/look.ts';
import { renderSummary } from '../reports/terminal/summary.ts';
import { writeReports } from '../reports/write.ts';
import { requirements } from '../suites/requirements.ts';
import type { RunResult } from '../suites/result.ts';
import { requiredIds, splitPatterns } from '../suites/selection.ts';
import { command } from './command-line/command.ts';
import { several } from './command-line/declaration.ts';
import { gateExits, metrics, out, require } from './options.ts';
import { writeMetrics } from './write-metrics.ts';

export const merge = command({
  name: 'merge',
  positionals: { reports: several('Each a report.json, or the folder that contains it') },
  options: { require, out, metrics },
  exits: gateExits,
  examples: [['tck merge part-1 part-2 part-3 --require all', 'Combine the reports of three shards']],
  prepare: (out, { cwd }) => setAsideReport(out, cwd),

  /** Merges reports into one, prints a summary, and returns its exit code. */
  async run({ reports, require, out, metrics }, around) {
    const folder = await reportFolder(out, around.cwd);
    const places = reports.map((place) => setAsidePlace(resolve(around.cwd, place), folder));
    const result = mergedReport(await loadReports(places), require);
    await writeReports(result, folder);
    await writeMetrics(metrics, result, around);
    around.stdout.write(renderSummary(result, { ...lookOf(around.stdout, around.env), reportDir: out }));
    return exitCodeOfRun(result);
  },
});

/** Merges reports with the value of `--require`. */
export function mergedReport(reports: readonly RunResult[], require: readonly string[] | undefined): RunResult {
  // Requirements that a team wrote are only in the reports.
  const known = [...requirements, ...reports.flatMap((each) => each.requirements)];
  return mergeResults(reports, requiredIds(known, splitPatterns(require, '--require')));
}
