import { resolve } from 'node:path';
import { compareRuns, exitCodeOfComparison } from '../reports/compare/model.ts';
import { renderComparison } from '../reports/compare/terminal.ts';
import { loadReport } from '../reports/load.ts';
import { lookOf } from '../reports/terminal/layout.ts';
import type { RunResult } from '../suites/result.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { several } from './command-line/declaration.ts';
import { commandOf } from './command-line/parse.ts';

export const command = commandOf({
  name: 'compare',
  positionals: { reports: several('Two or more reports, the oldest first: each a report.json, or its folder') },
  options: {},
  exits: { 0: 'no regressions', 1: 'regressions', 2: 'wrong usage, or no report' },
  examples: [
    ['tck compare last-week tck-report', 'Show what got worse or better since last week'],
    ['tck compare releases/*', 'Show a column for each release, and what the last one changed'],
  ],

  /** Prints the differences between runs. Returns 1 if something regressed between the last two, otherwise 0. */
  async run({ reports }, { cwd, stdout, env }) {
    if (reports.length < 2) throw new UsageError('compare: expected two or more reports');
    const runs: RunResult[] = [];
    // One after the other, so that the text of only one report is in memory.
    for (const place of reports) runs.push(await loadReport(resolve(cwd, place)));
    if (new Set(runs.map(({ target }) => target.kind === 'client')).size > 1) {
      throw new UsageError(`cannot compare a client with a deployment: ${reports.join(' and ')}`);
    }
    const comparison = compareRuns(runs);
    stdout.write(renderComparison(comparison, lookOf(stdout, env)));
    return exitCodeOfComparison(comparison);
  },
});
