import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { writeSet } from '../reports/folder.ts';
import { historyOf } from '../reports/history/model.ts';
import { historyHtml } from '../reports/history/page.ts';
import { renderHistory } from '../reports/history/terminal.ts';
import { safeJson } from '../reports/json.ts';
import { loadReports } from '../reports/load.ts';
import { lookOf } from '../reports/terminal/look.ts';
import { exitCodes } from '../suites/exit-codes.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { command } from './command-line/command.ts';
import { several } from './command-line/declaration.ts';
import { text } from './command-line/option.ts';
import { json } from './options.ts';

export const history = command({
  name: 'history',
  positionals: { reports: several('Each a report.json, or a folder that contains report.json files at any depth') },
  options: { out: text('Write history.html and history.json to this folder'), json },
  examples: [['tck history releases --out history', 'Show the trend over all reports below the folder releases']],

  /** Prints the trend over several reports, the oldest first. */
  async run({ reports, out, json }, around) {
    const places = (await Promise.all(reports.map((place) => reportsAt(resolve(around.cwd, place))))).flat();
    const loaded = await loadReports(places);
    if (new Set(loaded.map(({ target }) => target.kind === 'client')).size > 1) {
      throw new UsageError(`cannot compare a client with a deployment: ${reports.join(', ')}`);
    }
    const made = historyOf(loaded);
    if (out !== undefined) {
      await writeSet(resolve(around.cwd, out), { 'history.html': historyHtml(made), 'history.json': safeJson(made) });
    }
    around.stdout.write(json ? safeJson(made) : renderHistory(made, lookOf(around.stdout, around.env)));
    return exitCodes.ok;
  },
});

/** The file itself, or every `report.json` in or below a folder. */
async function reportsAt(place: string): Promise<string[]> {
  const entry = await stat(place).catch(() => null);
  if (entry?.isDirectory() !== true) return [place];
  const files = await readdir(place, { recursive: true });
  const reports = files.filter((file) => /(^|[\\/])report\.json$/.test(file)).sort();
  if (reports.length === 0) throw new UsageError(`reports: '${place}' has no report.json in it or below it`);
  return reports.map((file) => join(place, file));
}
