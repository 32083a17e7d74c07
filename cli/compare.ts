import { resolve } from 'node:path';
import { comparisonComment } from '../reports/compare/comment.ts';
import { comparisonMarkdown } from '../reports/compare/markdown.ts';
import { type Comparison, compareReports, exitCodeOfComparison } from '../reports/compare/model.ts';
import { comparisonHtml } from '../reports/compare/page.ts';
import { renderComparison } from '../reports/compare/terminal.ts';
import { writeSet } from '../reports/folder.ts';
import { safeJson } from '../reports/json.ts';
import { loadReport } from '../reports/load.ts';
import { lookOf } from '../reports/terminal/look.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { command } from './command-line/command.ts';
import { required } from './command-line/declaration.ts';
import { choice, flag, text } from './command-line/option.ts';
import type { Surroundings } from './process/surroundings.ts';

const formats = ['text', 'markdown', 'comment', 'html', 'json'] as const;

export const compare = command({
  name: 'compare',
  positionals: {
    before: required('A report.json, or the folder that contains it'),
    after: required('The later report, in the same form'),
  },
  options: {
    format: choice('Print this format (default: text). comment is Markdown with only what changed', formats),
    details: flag('Also show findings, observations and all other changes'),
    out: text('Write comparison.json, comparison.md and comparison.html to this folder'),
  },
  exits: { 0: 'no regressions', 1: 'regressions', 2: 'wrong usage, or no report' },
  examples: [['tck compare last-week tck-report', 'Show what got worse or better since last week']],

  /** Prints the differences between two runs. Returns 1 if something regressed, otherwise 0. */
  async run({ format = 'text', details, out, ...given }, around) {
    const before = await loadReport(resolve(around.cwd, given.before));
    const after = await loadReport(resolve(around.cwd, given.after));
    if ((before.target.kind === 'client') !== (after.target.kind === 'client')) {
      throw new UsageError(`cannot compare a client with a deployment: ${given.before} and ${given.after}`);
    }
    const comparison = compareReports(before, after);
    if (out !== undefined) await writeSet(resolve(around.cwd, out), forms(comparison));
    around.stdout.write(printed(comparison, format, details, around));
    return exitCodeOfComparison(comparison);
  },
});

function forms(comparison: Comparison): Record<string, string> {
  return {
    'comparison.json': safeJson(comparison),
    'comparison.md': comparisonMarkdown(comparison),
    'comparison.html': comparisonHtml(comparison),
  };
}

function printed(
  comparison: Comparison,
  format: (typeof formats)[number],
  details: boolean,
  around: Surroundings,
): string {
  switch (format) {
    case 'text':
      return renderComparison(comparison, lookOf(around.stdout, around.env), details);
    case 'markdown':
      return comparisonMarkdown(comparison);
    case 'comment':
      return comparisonComment(comparison);
    case 'html':
      return comparisonHtml(comparison);
    case 'json':
      return safeJson(comparison);
  }
}
