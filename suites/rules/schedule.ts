import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { body, type Completed, isRefusal } from '../history/exchange.ts';
import { brief } from '../json.ts';
import { answers } from './answers.ts';
import { fieldIsText } from './match/fields.ts';
import { everyResult } from './results.ts';
import type { Rule } from './rule.ts';

const tool = 'schedule.read';
const dayMs = 24 * 3600 * 1000;

/** Midnight UTC of a date that exists; undefined for anything else. */
function midnight(date: unknown): number | undefined {
  if (typeof date !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date ? undefined : time;
}

/** `days` of a result; empty where the field is not an array, which `schedule.days` tells. */
function daysOf(exchange: Completed): unknown[] {
  const { days } = body(exchange);
  return Array.isArray(days) ? days : [];
}

const atLeast = (count: number) => (exchange: Completed) => daysOf(exchange).length >= count;

/** What `schedule.read` returns. */
export const schedule: readonly Rule[] = [
  everyResult('schedule.week-start', tool, (exchange) => {
    const { week_start } = body(exchange);
    if (midnight(week_start) !== undefined) return undefined;
    return {
      expected: 'week_start to be a date as YYYY-MM-DD',
      actual: `week_start ${brief(week_start)}`,
      hint: 'Send the first day of the week as a plain date, without a time.',
      exchanges: [exchange],
    };
  }),
  everyResult('schedule.days', tool, (exchange) => {
    const days = daysOf(exchange);
    if (days.length > 0 && days.every((day) => midnight(day) !== undefined)) return undefined;
    return {
      expected: 'days to be a non-empty array of dates as YYYY-MM-DD',
      actual: `days ${brief(body(exchange).days)}`,
      hint: 'Send the days of the week as plain dates, without times.',
      exchanges: [exchange],
    };
  }),
  everyResult(
    'schedule.days-consecutive',
    tool,
    (exchange) => {
      const days = daysOf(exchange);
      const broken = days.findIndex((day, index) => {
        const [before, time] = [midnight(days[index - 1]), midnight(day)];
        return before !== undefined && time !== undefined && time !== before + dayMs;
      });
      if (broken < 0) return undefined;
      return {
        expected: 'each date in days to be the day after the previous one',
        actual: `${brief(days[broken - 1])} is followed by ${brief(days[broken])}`,
        hint: 'Count the days in UTC: local time has days of 23 and 25 hours.',
        exchanges: [exchange],
      };
    },
    atLeast(2),
  ),
  everyResult(
    'schedule.days-from-week-start',
    tool,
    (exchange) => {
      const [first] = daysOf(exchange);
      const { week_start } = body(exchange);
      if (first === week_start) return undefined;
      return {
        expected: `days to begin at week_start, ${brief(week_start)}`,
        actual: `days begin at ${brief(first)}`,
        hint: 'Set both from the same first day of the week.',
        exchanges: [exchange],
      };
    },
    atLeast(1),
  ),
  everyResult(
    'schedule.seven-days',
    tool,
    (exchange) => {
      const { length } = daysOf(exchange);
      if (length === 7) return undefined;
      return {
        expected: '7 entries in days',
        actual: `${length} entries`,
        hint: 'List all seven days of the week, as the example in the specification does.',
        exchanges: [exchange],
      };
    },
    atLeast(1),
  ),
];

/** What `content.status` returns. */
export const contentStatus: readonly Rule[] = [
  answers(
    'content-status.answers',
    'content.status',
    'Return the counts, with the slug of the workspace.',
    (exchange, hint) => (body(exchange).workspace === undefined ? undefined : fieldIsText(exchange, 'workspace', hint)),
    // Its arguments are not shown: it may require one.
    (exchange) => !isRefusal(exchange, refusalCodes.invalidArguments),
  ),
];
