import { check } from '../check.ts';
import type { Context } from '../engine/context.ts';
import { type Answered, body } from '../exchange.ts';
import { succeeds } from '../expect/answers.ts';
import { brief } from '../json.ts';
import { everyResultOf, fieldsOf } from '../scenes/results.ts';

const tool = 'schedule.read';
const exercise = async (t: Context) => [await t.call(tool, t.here())];
const every = everyResultOf(tool, exercise);
const field = fieldsOf(tool, 'ScheduleReadResult', exercise);

const dayMs = 24 * 3600 * 1000;

/** Midnight UTC of a date that exists; undefined for anything else. */
function midnight(date: unknown): number | undefined {
  if (typeof date !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date ? undefined : time;
}

/** `days` of a result; empty where the field is not an array, which another requirement tells. */
function daysOf(exchange: Answered): unknown[] {
  const { days } = body(exchange);
  return Array.isArray(days) ? days : [];
}

/** Whether there are at least so many days. */
const some = (least: number) => (exchange: Answered) => daysOf(exchange).length >= least;

export const schedule = [
  check({
    requirement: 'schedule.answers',
    async run(t) {
      t.expect(succeeds(await t.call(tool, t.here()), 'schedule.read needs no arguments beside the workspace'));
    },
  }),
  every('schedule.week-start', (exchange) => {
    const { week_start } = body(exchange);
    if (midnight(week_start) !== undefined) return undefined;
    return {
      expected: 'week_start to be a date written YYYY-MM-DD',
      actual: `week_start ${brief(week_start)}`,
      hint: 'the first day of the week as a plain date, without a time',
      exchanges: [exchange],
    };
  }),
  every('schedule.days', (exchange) => {
    const days = daysOf(exchange);
    if (days.length > 0 && days.every((day) => midnight(day) !== undefined)) return undefined;
    return {
      expected: 'days to be a non-empty array of dates written YYYY-MM-DD',
      actual: `days ${brief(body(exchange).days)}`,
      hint: 'the days of the week as plain dates, without times',
      exchanges: [exchange],
    };
  }),
  every(
    'schedule.days-consecutive',
    (exchange) => {
      const times = daysOf(exchange).map(midnight);
      const broken = times.findIndex((time, index) => {
        const before = times[index - 1];
        return index > 0 && time !== undefined && before !== undefined && time !== before + dayMs;
      });
      if (broken < 0) return undefined;
      return {
        expected: 'each of days to follow the one before it',
        actual: `${brief(daysOf(exchange)[broken - 1])} is followed by ${brief(daysOf(exchange)[broken])}`,
        hint: 'count the days in UTC: local time has days of 23 and 25 hours',
        exchanges: [exchange],
      };
    },
    some(2),
  ),
  every(
    'schedule.days-from-week-start',
    (exchange) => {
      const [first] = daysOf(exchange);
      if (first === body(exchange).week_start) return undefined;
      return {
        expected: `days to begin at week_start, ${brief(body(exchange).week_start)}`,
        actual: `days begin at ${brief(first)}`,
        hint: 'fill both from the same first day of the week',
        exchanges: [exchange],
      };
    },
    some(1),
  ),
  every(
    'schedule.seven-days',
    (exchange) => {
      const days = daysOf(exchange);
      if (days.length === 7) return undefined;
      return {
        expected: '7 entries in days',
        actual: `${days.length} entries`,
        hint: 'the sample shows a whole week',
        exchanges: [exchange],
      };
    },
    some(1),
  ),
  field('schedule.meta-line', 'meta_line', 'the sentence that the schedule board shows, as a string'),
  field('schedule.rows', 'rows', 'an array, empty while there are no rows'),
  field('schedule.pieces', 'pieces', 'an array, empty while there are no pieces'),
];
