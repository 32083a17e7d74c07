import { resolve } from 'node:path';
import type { Surroundings } from '../fixtures/process.ts';
import { comparisonMarkdown } from './compare/markdown.ts';
import { type Comparison, compareReports, exitCodeOfComparison } from './compare/model.ts';
import { comparisonHtml } from './compare/page.ts';
import { renderComparison } from './compare/terminal.ts';
import { safeJson } from './json.ts';
import { loadReport } from './load.ts';
import { lookOf } from './terminal/look.ts';
import { writeAll } from './write.ts';

/** Options of `tck compare A B`, as they come from the command line. */
export interface CompareOptions {
  /** Two `report.json`, or the folders that they are in. */
  before: string;
  after: string;
  /** What is printed; text for people where absent. */
  format?: 'text' | 'markdown' | 'html' | 'json' | undefined;
  /** A folder for `comparison.json`, `comparison.md` and `comparison.html`. */
  out?: string | undefined;
}

/**
 * The body of `tck compare`: prints how two runs differ and gives 1 where something got worse that was right before,
 * otherwise 0. Throws a UsageError for a file that is not a report, and for a folder that cannot be written to.
 */
export async function compare(options: CompareOptions, around: Surroundings): Promise<number> {
  const before = await loadReport(resolve(around.cwd, options.before));
  const after = await loadReport(resolve(around.cwd, options.after));
  const comparison = compareReports(before, after);
  if (options.out !== undefined) await writeAll(resolve(around.cwd, options.out), forms(comparison));
  around.stdout.write(printed(comparison, options.format ?? 'text', around));
  return exitCodeOfComparison(comparison);
}

function forms(comparison: Comparison): Record<string, string> {
  return {
    'comparison.json': safeJson(comparison),
    'comparison.md': comparisonMarkdown(comparison),
    'comparison.html': comparisonHtml(comparison),
  };
}

function printed(comparison: Comparison, format: NonNullable<CompareOptions['format']>, around: Surroundings): string {
  switch (format) {
    case 'text':
      return renderComparison(comparison, lookOf(around.stdout, around.env));
    case 'markdown':
      return comparisonMarkdown(comparison);
    case 'html':
      return comparisonHtml(comparison);
    case 'json':
      return safeJson(comparison);
  }
}
