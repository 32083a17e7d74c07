import { resolve } from 'node:path';
import { comparisonMarkdown } from '../reports/compare/markdown.ts';
import { compareRuns, exitCodeOfComparison } from '../reports/compare/model.ts';
import { comparisonHtml } from '../reports/compare/page.ts';
import { renderComparison } from '../reports/compare/terminal.ts';
import { writeSet } from '../reports/folder.ts';
import { safeJson } from '../reports/json.ts';
import { loadReport } from '../reports/load.ts';
import { lookOf } from '../reports/terminal/layout.ts';
import type { RunResult } from '../suites/result.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { several } from './command-line/declaration.ts';
import { text } from './command-line/option.ts';
import { command } from './command-line/parse.ts';

export const compare = command({
  name: 'compare',
  positionals: { reports: several('Two or more reports, the oldest first: each a report.json, or its folder') },
  options: {
    out: text('Write comparison.json, comparison.md and comparison.html to this folder'),
  },
  exits: { 0: 'no regressions', 1: 'regressions', 2: 'wrong usage, or no report' },
  examples: [
    ['tck compare last-week tck-report', 'Show what got worse or better since last week'],
    ['tck compare releases/*', 'Show a column for each release, and what the last one changed'],
  ],

  /** Prints the differences between runs. Returns 1 if something regressed between the last two, otherwise 0. */
  async run({ reports, out }, { cwd, stdout, env }) {
    if (reports.length < 2) throw new UsageError('compare: expected two or more reports');
    const runs: RunResult[] = [];
    // One after the other, so that the text of only one report is in memory.
    for (const place of reports) runs.push(await loadReport(resolve(cwd, place)));
    if (new Set(runs.map(({ target }) => target.kind === 'client')).size > 1) {
      throw new UsageError(`cannot compare a client with a deployment: ${reports.join(' and ')}`);
    }
    const comparison = compareRuns(runs);
    if (out !== undefined) {
      await writeSet(resolve(cwd, out), {
        'comparison.json': safeJson(comparison),
        'comparison.md': comparisonMarkdown(comparison),
        'comparison.html': comparisonHtml(comparison),
      });
    }
    stdout.write(renderComparison(comparison, lookOf(stdout, env)));
    return exitCodeOfComparison(comparison);
  },
});
