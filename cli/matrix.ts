import { resolve } from 'node:path';
import { writeSet } from '../reports/folder.ts';
import { safeJson } from '../reports/json.ts';
import { loadReports } from '../reports/load.ts';
import { matrixOf } from '../reports/matrix/model.ts';
import { matrixHtml } from '../reports/matrix/page.ts';
import { renderMatrix } from '../reports/matrix/terminal.ts';
import { lookOf } from '../reports/terminal/look.ts';
import { exitCodes } from '../suites/exit-codes.ts';
import { command } from './command-line/command.ts';
import { several } from './command-line/declaration.ts';
import { text } from './command-line/option.ts';
import { json } from './options.ts';

export const matrix = command({
  name: 'matrix',
  positionals: { reports: several('Each a report.json, or the folder that contains it') },
  options: { out: text('Write matrix.html and matrix.json to this folder'), json },
  examples: [['tck matrix reports/* --out matrix', 'Show deployments or releases side by side']],

  /** Prints a comparison of several reports, the oldest first. */
  async run({ reports, out, json }, around) {
    const loaded = await loadReports(reports.map((place) => resolve(around.cwd, place)));
    const made = matrixOf(loaded);
    if (out !== undefined) {
      await writeSet(resolve(around.cwd, out), { 'matrix.html': matrixHtml(made), 'matrix.json': safeJson(made) });
    }
    around.stdout.write(json ? safeJson(made) : renderMatrix(made, lookOf(around.stdout, around.env)));
    return exitCodes.ok;
  },
});
