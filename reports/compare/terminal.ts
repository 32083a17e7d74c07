import type { ComparedRow, Comparison } from '../../suites/result.ts';
import { limited, plain } from '../plain.ts';
import { severityWords, statusWords, tones } from '../status-words.ts';
import { field, inColors, type Look, paragraph, section } from '../terminal/layout.ts';
import { type Change, comparisonHeadline, rowsWith, toneOfComparison } from './model.ts';

const named = 30;

const causeTitles: readonly (readonly [Change, string])[] = [
  ['regression', 'New causes'],
  ['new failure', 'Causes that the earlier run did not test'],
  ['still failing', 'Remaining causes'],
  ['fixed', 'Fixed causes'],
  ['no longer tested', 'Causes that the later run did not test'],
  ['newly tested', 'Causes that an even earlier run has'],
];

const requirementTitles: readonly (readonly [Change, string])[] = [
  ['regression', 'Regressions: passed before, failed now'],
  ['new failure', 'New failures: not known to have passed before'],
  ['fixed', 'Fixed'],
];

/** A comparison for a terminal. Ends with a line feed. */
export function renderComparison(comparison: Comparison, look: Look): string {
  const { runs, causes, rows, notes } = comparison;
  const lines = [
    ...paragraph(comparisonHeadline(comparison), 0, tones[toneOfComparison(comparison)].format),
    ...runs.flatMap(({ headline, name, label, startedAt }, index) => {
      const text = `${headline}: ${name}${label === undefined ? '' : ` (${label})`}, ${startedAt}`;
      return field(nameOf(index, runs.length), plain(text), 2);
    }),
    ...notes.flatMap((note) => paragraph(`warning: ${plain(note)}`, 2, ['yellow'])),
    '',
    ...causeTitles.flatMap(([change, heading]) =>
      rowLines(heading, rowsWith(causes, change), ({ title, statuses }) =>
        paragraph(`${runs.length > 2 ? `${signsOf(statuses)}  ` : ''}${plain(title)}`, 2),
      ),
    ),
    ...requirementTitles.flatMap(([change, heading]) =>
      rowLines(heading, rowsWith(rows, change), (row) => {
        const sign = signOf(row.statuses.at(-1) ?? null);
        return paragraph(`${sign} ${plain(row.id)}  ${statusesText(row)}  ${severityWords[row.severity]}`, 2);
      }),
    ),
  ];
  return inColors(look, `${lines.join('\n').trimEnd()}\n`);
}

function rowLines(title: string, rows: readonly ComparedRow[], line: (row: ComparedRow) => string[]) {
  const lines = limited(rows.map(line), named, (rest) => [`  and ${rest} more`]);
  return section(`${title} (${rows.length})`, lines.flat());
}

/** `before` and `after` for two runs, otherwise the number of the run. */
function nameOf(index: number, count: number): string {
  if (count !== 2) return String(index + 1);
  return index === 0 ? 'before' : 'after';
}

const signOf = (status: ComparedRow['statuses'][number]) => (status === null ? ' ' : statusWords[status].sign);

const signsOf = (statuses: ComparedRow['statuses']) => statuses.map(signOf).join(' ');

/** `passed → failed`, or one sign for each of more than two runs. */
function statusesText({ statuses }: ComparedRow): string {
  if (statuses.length > 2) return signsOf(statuses);
  const words = statuses.map((status) => (status === null ? 'not in the kit' : statusWords[status].word));
  return [...new Set(words)].join(' → ');
}
