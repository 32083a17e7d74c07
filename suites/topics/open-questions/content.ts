import { limits } from '../../../fixtures/contract/limits.ts';
import type { QuestionId } from '../../../fixtures/open-questions.ts';
import { isSuccess } from '../../history/exchange.ts';
import type { Args } from '../steps.ts';
import { observing } from '../story.ts';

/** Changes that turn a valid request into one that the specification leaves open. */
const trials: readonly (readonly [id: QuestionId, changeOf: (day: string) => Args])[] = [
  ['content-requests.impossible-day', (day) => ({ day: `${day.slice(0, 4)}-02-30` })],
  ['content-requests.past-day', () => ({ day: '2001-02-03' })],
  ['content-requests.trailing-newline', (day) => ({ day: `${day}\n` })],
  ['content-requests.other-digits', (day) => ({ day: inArabicIndic(day) })],
  ['content-requests.null-title', () => ({ title: null })],
];

function inArabicIndic(day: string): string {
  return day.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
}

/** Possible lengths of a character outside the Basic Multilingual Plane. */
const units = [
  [1, '1, as a character'],
  [2, '2, as two UTF-16 units'],
  [4, '4, as four bytes of UTF-8'],
] as const;

/** Observes content requests that the specification leaves open. */
export const content = observing('observing content requests', {
  needs: { effects: ['writes'] },
  // Needs no request that preflight created.
  uses: [],
  observes: [...trials.map(([id]) => id), 'content-requests.astral-title'],
  steps: async (t) => {
    const tool = 'content.create_request';
    const start = `tck ${t.deployment.runId} `;
    const good = t.here({ format: 'posts', day: t.deployment.day, title: `${start}observed` });
    for (const [id, changeOf] of trials) {
      await t.observe(id, '', { tool, args: { ...good, ...changeOf(t.deployment.day) } });
    }
    for (const [each, unit] of units) {
      // The number of characters that fit into the longest title with this unit, but not with a larger one.
      const title = start + '\u{1F6F3}'.repeat(Math.floor((limits.title.most - start.length) / each));
      const reply = await t.observe('content-requests.astral-title', unit, { tool, args: { ...good, title } });
      if (reply !== undefined && isSuccess(reply)) return;
    }
  },
});
