import type { QuestionId } from '../../fixtures/open-questions.ts';
import type { Args } from '../engine/context.ts';
import { type Answered, body, isSuccess } from '../exchange.ts';
import { aRequest, controlCreated, marker, writes } from '../scenes/content.ts';
import { observation } from './observation.ts';
import { elements, fieldNames, noteEach, outcome, resultsOf, short } from './seen.ts';

const tool = 'content.create_request';
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const isDate = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);

/** The day that was asked for against the day, in UTC, of `scheduled_for`. */
function onDay(exchange: Answered): string {
  const { scheduled_for: moment } = body(exchange);
  if (typeof moment !== 'string') return 'scheduled_for is null';
  return moment.startsWith(String(exchange.request.args?.day)) ? 'on the day, in UTC' : 'on another day, in UTC';
}

/** What makes a good request one of which the document does not tell what becomes of it. */
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

export const content = [
  observation({
    answers: ['content-requests.scheduled-on-day'],
    run(t) {
      const planned = resultsOf(t, tool).filter(({ request }) => request.args?.day === t.ground.day);
      noteEach(
        t,
        'content-requests.scheduled-on-day',
        planned.map((each) => [onDay(each), each]),
      );
    },
  }),
  observation({
    answers: ['content-status.fields'],
    run(t) {
      const known = ['ok', 'workspace', 'working_in'];
      const told = resultsOf(t, 'content.status').flatMap((each) =>
        fieldNames([body(each)])
          .filter((name) => !known.includes(name))
          .map((name): [string, Answered] => [name, each]),
      );
      noteEach(t, 'content-status.fields', told);
    },
  }),
  observation({
    answers: ['schedule.entries', 'schedule.week-start'],
    run(t) {
      const results = resultsOf(t, 'schedule.read');
      const fields = results.flatMap((each) =>
        (['rows', 'pieces'] as const).flatMap((list) =>
          fieldNames(elements(body(each)[list])).map((name): [string, Answered] => [`${list}[].${name}`, each]),
        ),
      );
      noteEach(t, 'schedule.entries', fields);
      const starts = results.flatMap((each): [string, Answered][] => {
        const { week_start: start } = body(each);
        const weekday = isDate(start) ? weekdays[new Date(`${start}T00:00:00Z`).getUTCDay()] : undefined;
        return weekday === undefined ? [] : [[weekday, each]];
      });
      noteEach(t, 'schedule.week-start', starts);
    },
  }),
  observation({
    answers: trials.map(([id]) => id),
    needs: writes,
    mostRequests: trials.length + 1,
    async run(t) {
      await controlCreated(t);
      await Promise.all(
        trials.map(async ([id, changeOf]) => {
          const answer = await t.call(tool, aRequest(t, changeOf(t.ground.day)));
          t.observe(id, outcome(answer), answer);
        }),
      );
    },
  }),
  observation({
    answers: ['content-requests.astral-title'],
    needs: writes,
    mostRequests: 3,
    async run(t) {
      await controlCreated(t);
      const start = `${marker(t)} `;
      for (const [each, unit] of [
        [1, 'a character'],
        [2, 'two UTF-16 units'],
        [4, 'four bytes of UTF-8'],
      ] as const) {
        // As many as fit into 200 if each counts for this much, and would not fit if it counted for more.
        const title = start + '🛳'.repeat(Math.floor((200 - start.length) / each));
        const answer = await t.call(tool, aRequest(t, { title }));
        if (!isSuccess(answer) && each < 4) continue;
        const told = isSuccess(answer) ? `${each}, as ${unit}` : `more than 4: ${short(outcome(answer))}`;
        t.observe('content-requests.astral-title', told, answer);
        return;
      }
    },
  }),
];
