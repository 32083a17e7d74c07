import { resolve } from 'node:path';
import { requirements } from '../fixtures/requirements/index.ts';
import { exitCodeOfRun } from '../reports/exit-code.ts';
import { reportFolder, setAsidePlace, setAsideReport } from '../reports/folder.ts';
import { loadReport } from '../reports/load.ts';
import { mergeResults } from '../reports/merge/merge.ts';
import { lookOf } from '../reports/terminal/look.ts';
import { renderSummary } from '../reports/terminal/summary.ts';
import { writeReports } from '../reports/write.ts';
import { requiredIds, splitPatterns } from '../suites/selection.ts';
import { command } from './command-line/command.ts';
import { several } from './command-line/declaration.ts';
import { gateExits, out, require } from './options.ts';

export const merge = command({
  name: 'merge',
  positionals: { reports: several('Files report.json, or their folders') },
  options: { require, out },
  exits: gateExits,
  examples: [['tck merge part-1 part-2 part-3 --require all', 'Combine the reports of three shards']],
  prepare: (out, { cwd }) => setAsideReport(out, cwd),

  /** Writes one report for several, prints a summary, and returns its exit code. */
  async run({ reports, require, out }, around) {
    const required = requiredIds(requirements, splitPatterns(require, '--require'));
    const folder = await reportFolder(out, around.cwd);
    const places = reports.map((place) => setAsidePlace(resolve(around.cwd, place), folder));
    const result = mergeResults(await Promise.all(places.map(loadReport)), required);
    await writeReports(result, folder);
    around.stdout.write(renderSummary(result, { ...lookOf(around.stdout, around.env), reportDir: out }));
    return exitCodeOfRun(result);
  },
});
