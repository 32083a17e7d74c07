import { summarizeIds } from '../../suites/ids-summary.ts';
import type { Missing, RunResult } from '../../suites/result.ts';
import { counted } from '../../suites/usage/counted.ts';
import { difference } from '../difference.ts';
import { remedyOf } from '../gaps.ts';
import { plain } from '../plain.ts';
import { answerLines, requestLines } from '../terminal/exchange.ts';
import { type Format, field, type Look, markedField, paint, paragraph } from '../terminal/layout.ts';
import type { KeptAnswer, Repeated } from './again.ts';
import { outcomes, type Replayed, type ReplayOutcome } from './judge.ts';

const signs: Readonly<Record<ReplayOutcome, { sign: string; format: Format }>> = {
  'still failing': { sign: '✗', format: ['red'] },
  changed: { sign: '≠', format: ['yellow'] },
  'not told': { sign: '?', format: ['yellow'] },
  fixed: { sign: '✓', format: ['green'] },
};

/** Maximum number of listed requests for a cause. */
const stepsShown = 10;

/** Width of the sign and the outcome before the title of a cause. */
const outcomeColumns = 16;

/** Maximum number of exchanges to compare for a finding. */
const exchangesShown = 2;

/** Results of a replay, for a terminal or a log. Ends with a line feed. */
export function renderReplay(replayed: readonly Replayed[], result: RunResult, look: Look): string {
  const lines = [
    ...result.notices.flatMap((notice) => paragraph(look, `note: ${plain(notice)}`, 0, ['dim'])),
    ...replayed.flatMap((each) => findingLines(look, each, result)),
    tally(replayed),
  ];
  return `${lines.join('\n')}\n`;
}

/** Number of findings by outcome. */
function tally(replayed: readonly Replayed[]): string {
  const counts = outcomes.map(
    (outcome) => [replayed.filter((each) => each.outcome === outcome).length, outcome] as const,
  );
  return counts
    .filter(([count]) => count > 0)
    .map(([count, outcome]) => `${count} ${outcome}`)
    .join(', ');
}

function findingLines(look: Look, replayed: Replayed, result: RunResult): string[] {
  const { cause, outcome, now, why } = replayed;
  const { sign, format } = signs[outcome];
  const ids = summarizeIds(cause.requirements.map(({ id }) => plain(id)));
  const [first = '', ...rest] = paragraph(look, plain(cause.title), outcomeColumns, ['bold']);
  const head = [
    `${paint(look, format, `${sign} ${outcome.padEnd(13)}`)} ${first.trimStart()}`,
    ...rest,
    ...field(look, 'rule', ids),
  ];
  if (outcome === 'fixed') return [...head, ...sentLines(look, replayed)];
  return [
    ...head,
    ...expectations(look, replayed),
    ...(why === undefined ? [] : field(look, 'why', plain(why))),
    ...replayed.missing.flatMap((missing) => remedy(look, missing, result)),
    ...(now === null ? [] : field(look, 'hint', plain(now.hint, 600))),
    ...sentLines(look, replayed),
    ...replayed.exchanges.slice(0, exchangesShown).flatMap((repeated) => besides(look, repeated)),
    '',
  ];
}

/** Sent steps, grouped by story. */
function sentLines(look: Look, { sent }: Replayed): string[] {
  const rest = sent.length - stepsShown;
  return [
    ...sent.slice(0, stepsShown).flatMap(({ story, step, text }, index) => {
      const start = story === sent[index - 1]?.story ? '' : `${story}: `;
      return field(look, index === 0 ? 'sent' : '', plain(`${start}${step}, ${text}`), 4, ['dim']);
    }),
    ...(rest > 0 ? field(look, '', `and ${counted(rest, 'more request')}`, 4, ['dim']) : []),
  ];
}

function expectations(look: Look, { cause: { finding }, now }: Replayed): string[] {
  const expected = field(look, 'expected', plain(finding.expected));
  if (now === null) return [...expected, ...field(look, 'then', plain(finding.actual))];
  const marked = difference(plain(finding.actual), plain(now.actual));
  return [
    ...expected,
    ...markedField(look, 'then', marked.expected, 4, []),
    ...(now.expected === finding.expected ? [] : field(look, 'expected', plain(now.expected))),
    ...markedField(look, 'now', marked.actual, 4, ['red']),
  ];
}

function remedy(look: Look, missing: Missing, result: RunResult): string[] {
  const text = remedyOf(missing, result);
  return text === null ? [] : field(look, '', `→ ${plain(text)}`, 4, ['cyan']);
}

function notSent(why = 'no response', inStory: boolean): string {
  return inStory ? `repeated as part of its story, because ${plain(why)}` : `not repeated: ${plain(why)}`;
}

function besides(look: Look, { before, now, why, inStory }: Repeated): string[] {
  return [
    ...requestLines(look, before),
    ...answered(look, 'then', before.response, before.problem),
    ...(now === null ? field(look, 'now', notSent(why, inStory), 4, ['dim']) : answered(look, 'now', now, null)),
  ];
}

function answered(look: Look, label: string, answer: KeptAnswer | null, problem: string | null): string[] {
  return answer === null
    ? field(look, label, `no response: ${plain(problem ?? 'not complete')}`)
    : answerLines(look, label, answer);
}
