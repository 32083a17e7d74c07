import type { ComparedRow, Comparison } from '../../suites/result.ts';
import { code, inline, markdown, table } from '../markdown-text.ts';
import { toneEmoji } from '../status-words.ts';
import { changes, changeTitles, comparisonHeadline, rowsWith, toneOfComparison } from './model.ts';
import { nameOf, statusesText } from './terminal.ts';

const rowsShown = 100;

/** A comparison as Markdown, for a job summary or the comment of a pull request. */
export function comparisonMarkdown(comparison: Comparison): string {
  const { runs, causes, rows, notes } = comparison;
  const heads = runs.map(({ name, label, startedAt, headline }, index) => [
    nameOf(index, runs.length),
    `${code(name)}${label === undefined ? '' : ` ${inline(label)}`}`,
    inline(startedAt),
    inline(headline),
  ]);
  const more = (all: readonly ComparedRow[]) => (all.length > rowsShown ? [`And ${all.length - rowsShown} more.`] : []);
  return markdown([
    `## ${toneEmoji[toneOfComparison(comparison)]} Conformance: ${inline(comparisonHeadline(comparison))}`,
    table(['', 'target', 'started', 'result'], heads),
    ...notes.map((note) => inline(`Warning: ${note}.`)),
    ...changes.flatMap((change) => {
      const found = rowsWith(causes, change);
      if (found.length === 0) return [];
      const lines = found.slice(0, rowsShown).map(({ title }) => `- ${inline(title)}`);
      return [`### ${changeTitles.causes[change]} (${found.length})`, lines.join('\n'), ...more(found)];
    }),
    ...changes.flatMap((change) => {
      const found = rowsWith(rows, change);
      if (found.length === 0) return [];
      const cells = found.slice(0, rowsShown).map((row) => [code(row.id), statusesText(row), findingText(row)]);
      return [
        `### ${changeTitles.rows[change]} (${found.length})`,
        table(['requirement', 'status', 'finding'], cells),
        ...more(found),
      ];
    }),
  ]);
}

function findingText({ finding }: ComparedRow): string {
  return finding === undefined ? '' : inline(`expected ${finding.expected}, got ${finding.actual}`, 300);
}
