import { counted } from '../../suites/usage/counted.ts';
import { inline, markdown } from '../markdown-text.ts';
import { toneEmoji } from '../status-words.ts';
import { causeTitles } from './category.ts';
import type { CauseChange } from './cause-rows.ts';
import type { Comparison } from './model.ts';
import { causeCounts, notes, toneOfComparison } from './words.ts';

/** Unchanged causes are left out, because they need no attention in a pull request. */
const changes: readonly CauseChange[] = ['added', 'revealed', 'gone', 'untested'];

const titlesShown = 30;

/** A comparison as a pull request comment: only changes. */
export function comparisonComment(comparison: Comparison): string {
  const { causes } = comparison;
  const counts = causeCounts(causes);
  const words = counts.length === 0 ? 'nothing changed' : counts.join(', ');
  const remaining = causes.remaining.length > 0 ? [`${counted(causes.remaining.length, 'cause')} unchanged.`] : [];
  return markdown([
    `### ${toneEmoji[toneOfComparison(comparison)]} Conformance: ${words}`,
    ...changes.flatMap((change) => section(causeTitles[change], causes[change])),
    ...notes(comparison).map((note) => inline(`Warning: ${note}.`)),
    ...remaining,
  ]);
}

function section(title: string, titles: readonly string[]): string[] {
  if (titles.length === 0) return [];
  const rest = titles.length - titlesShown;
  const lines = titles.slice(0, titlesShown).map((text) => `- ${inline(text)}`);
  return [`**${title}**`, [...lines, ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n')];
}
