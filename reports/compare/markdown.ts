import { counted } from '../../suites/usage/counted.ts';
import { code, inline, markdown, table } from '../markdown-text.ts';
import { deploymentName, toneEmoji } from '../status-words.ts';
import { type Category, categories, categoryTitles, causeTitles } from './category.ts';
import { causeChanges } from './cause-rows.ts';
import type { Change, Comparison } from './model.ts';
import { changed, notes, shownValues, toneOfComparison, verdictOfComparison } from './words.ts';

const rowsShown = 100;

/** A comparison as Markdown, for a job summary or a comment. */
export function comparisonMarkdown(comparison: Comparison): string {
  return markdown([
    `## ${toneEmoji[toneOfComparison(comparison)]} ${verdictOfComparison(comparison)}`,
    table(
      ['', 'target', 'started', 'result'],
      (['before', 'after'] as const).map((which) => {
        const { label, startedAt, headline, ...head } = comparison[which];
        const target = `${code(deploymentName(head))}${label === null ? '' : ` ${inline(label)}`}`;
        return [which, target, inline(startedAt), inline(headline)];
      }),
    ),
    ...notes(comparison).map((note) => inline(`Warning: ${note}.`)),
    ...causesText(comparison),
    ...categories.flatMap((category) => categoryText(category, comparison.changes[category])),
    ...driftText(comparison),
    ...countText(comparison),
  ]);
}

function causesText({ causes }: Comparison): string[] {
  return causeChanges.flatMap((which) => {
    const titles = causes[which];
    if (titles.length === 0) return [];
    const rest = titles.length - rowsShown;
    return [
      `### ${causeTitles[which]} (${titles.length})`,
      titles
        .slice(0, rowsShown)
        .map((title) => `- ${inline(title)}`)
        .join('\n'),
      ...(rest > 0 ? [`And ${rest} more.`] : []),
    ];
  });
}

function categoryText(category: Category, changes: readonly Change[]): string[] {
  if (changes.length === 0) return [];
  const rows = changes.slice(0, rowsShown).map((change) => {
    const { finding } = change;
    const what = finding === null ? '' : inline(`expected ${finding.expected}, got ${finding.actual}`, 300);
    return [code(change.id), changed(change), what];
  });
  const rest = changes.length - rowsShown;
  return [
    `### ${categoryTitles[category]} (${changes.length})`,
    table(['requirement', 'status', 'finding'], rows),
    ...(rest > 0 ? [`And ${rest} more.`] : []),
  ];
}

function driftText({ observations }: Comparison): string[] {
  if (observations.length === 0) return [];
  const rows = observations.map(({ question, before, after }) => [
    inline(question),
    code(shownValues(before)),
    code(shownValues(after)),
  ]);
  return [`### ${counted(observations.length, 'changed observation')}`, table(['question', 'before', 'after'], rows)];
}

function countText({ counts }: Comparison): string[] {
  if (counts.length === 0) return [];
  const rows = counts.map((count) => [count.name, count.before, count.after].map((cell) => inline(String(cell))));
  return ['### Changed counts', table(['count', 'before', 'after'], rows)];
}
