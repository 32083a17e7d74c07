import { counted } from '../../suites/usage/counted.ts';
import { plain } from '../plain.ts';
import { deploymentName, severityWords, statusWords } from '../status-words.ts';
import { field, type Look, paragraph } from '../terminal/layout.ts';
import { heading } from '../terminal/sections.ts';
import { toneFormats } from '../terminal/summary.ts';
import { type Category, categories, categoryTitles, causeTitles } from './category.ts';
import { causeChanges } from './cause-rows.ts';
import type { Change, Comparison } from './model.ts';
import { changed, notes, shownValues, toneOfComparison, verdictOfComparison } from './words.ts';

/** Categories that show findings. */
const withFinding: readonly Category[] = ['regressions', 'otherFailures'];

/** Categories that list each requirement, even without `details`. */
const told: readonly Category[] = ['regressions', 'otherFailures', 'fixes'];
const named = 30;

/**
 * A comparison for a terminal, or for a log if `colour` is off: counts, warnings, regressions and improvements. With
 * `details`, also findings and all other changes. Ends with a line feed.
 */
export function renderComparison(comparison: Comparison, look: Look, details = false): string {
  const shown = details ? categories : told;
  const lines = [
    ...paragraph(look, verdictOfComparison(comparison), 0, toneFormats[toneOfComparison(comparison)]),
    ...field(look, 'before', plain(headLine(comparison.before)), 2),
    ...field(look, 'after', plain(headLine(comparison.after)), 2),
    ...notes(comparison).flatMap((note) => paragraph(look, `warning: ${plain(note)}`, 2, ['yellow'])),
    '',
    ...causesLines(look, comparison),
    ...shown.flatMap((category) => categoryLines(look, category, comparison.changes[category], details)),
    ...(details ? [...driftLines(look, comparison), ...countLines(look, comparison)] : []),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function headLine({ label, startedAt, headline, ...head }: Comparison['before']): string {
  return `${headline}: ${deploymentName(head)}${label === null ? '' : ` (${label})`}, ${startedAt}`;
}

function causesLines(look: Look, { causes }: Comparison): string[] {
  return causeChanges.flatMap((which) => {
    const titles = causes[which];
    if (titles.length === 0) return [];
    const rest = titles.length - named;
    return [
      heading(look, `${causeTitles[which]} (${titles.length})`),
      ...titles.slice(0, named).flatMap((title) => paragraph(look, plain(title), 2)),
      ...(rest > 0 ? [`  and ${rest} more`] : []),
      '',
    ];
  });
}

function categoryLines(look: Look, category: Category, changes: readonly Change[], details: boolean): string[] {
  if (changes.length === 0) return [];
  const rest = changes.length - named;
  return [
    heading(look, `${categoryTitles[category]} (${changes.length})`),
    ...changes
      .slice(0, named)
      .flatMap((change) => changeLines(look, change, details && withFinding.includes(category))),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    '',
  ];
}

function changeLines(look: Look, change: Change, showFinding: boolean): string[] {
  const sign = change.after === null ? '·' : statusWords[change.after].sign;
  const { finding } = change;
  return [
    ...paragraph(look, `${sign} ${plain(change.id)}  ${changed(change)}  ${severityWords[change.severity]}`, 2),
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
