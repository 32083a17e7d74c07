import { plain } from '../plain.ts';
import { counted, statusWords } from '../status-words.ts';
import { field, type Look, paint, paragraph } from '../terminal/layout.ts';
import { heading } from '../terminal/sections.ts';
import { type Category, categories, categoryTitles } from './category.ts';
import type { Change, Comparison } from './model.ts';
import { changed, notes, shownValues, verdictOfComparison } from './words.ts';

/** Categories in which a finding is worth its room. */
const withFinding: readonly Category[] = ['regressions', 'otherFailures'];
const named = 30;

/** A comparison for a terminal, or for a log where `colour` is off. Ends with a line feed. */
export function renderComparison(comparison: Comparison, look: Look): string {
  const worse = comparison.changes.regressions.length > 0;
  const lines = [
    paint(look, [worse ? 'red' : 'green', 'bold'], verdictOfComparison(comparison)),
    ...field(look, 'before', plain(headLine(comparison.before)), 2),
    ...field(look, 'after', plain(headLine(comparison.after)), 2),
    ...notes(comparison).flatMap((note) => paragraph(look, `note: ${note}`, 2, ['dim'])),
    '',
    ...categories.flatMap((category) => categoryLines(look, category, comparison.changes[category])),
    ...driftLines(look, comparison),
    ...countLines(look, comparison),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function headLine({ baseUrl, label, startedAt, headline }: Comparison['before']): string {
  return `${headline}: ${baseUrl}${label === null ? '' : ` (${label})`}, ${startedAt}`;
}

function categoryLines(look: Look, category: Category, changes: readonly Change[]): string[] {
  if (changes.length === 0) return [];
  const rest = changes.length - named;
  return [
    heading(look, `${categoryTitles[category]} (${changes.length})`),
    ...changes.slice(0, named).flatMap((change) => changeLines(look, change, withFinding.includes(category))),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    '',
  ];
}

function changeLines(look: Look, change: Change, showFinding: boolean): string[] {
  const sign = change.after === null ? '·' : statusWords[change.after].sign;
  const { finding } = change;
  return [
    ...paragraph(look, `${sign} ${plain(change.id)}  ${changed(change)}`, 2),
    ...(showFinding && finding !== null
      ? [
          ...field(look, 'expected', plain(finding.expected)),
          ...field(look, 'actual', plain(finding.actual)),
          ...field(look, 'hint', plain(finding.hint, 600)),
        ]
      : []),
  ];
}

function driftLines(look: Look, { observations }: Comparison): string[] {
  if (observations.length === 0) return [];
  return [
    heading(look, `${counted(observations.length, 'changed observation')}, where the specification is silent`),
    ...observations.flatMap(({ id, question, before, after }) => [
      ...paragraph(look, plain(`${question} (${id})`), 2),
      ...field(look, 'before', plain(shownValues(before))),
      ...field(look, 'after', plain(shownValues(after))),
    ]),
    '',
  ];
}

function countLines(look: Look, { counts }: Comparison): string[] {
  if (counts.length === 0) return [];
  const shown = counts.map(({ name, before, after }) => `${name} ${before} → ${after}`);
  return [heading(look, 'Changed counts'), ...paragraph(look, shown.join(', '), 2)];
}
