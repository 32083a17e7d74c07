import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { readingTools, tools, toolsWithoutSideEffects } from '../../../fixtures/contract/tools.ts';
import { body, type Completed, elements, isKeyRefused, isRefusal } from '../../exchange/exchange.ts';
import { brief } from '../../json.ts';
import { has, holds, is, success } from '../../model/answers.ts';
import { outcomes } from '../../model/rows/envelopes.ts';
import { answersPlainRequests, resultOf, resultRows } from '../../model/rows/results.ts';
import { row } from '../../model/rule.ts';
import { witnessesOf, witnessesOfServiceRules } from '../declared/row-witnesses.ts';
import { readAll, search } from '../requests/library.ts';
import { story } from '../story.ts';

const tool = 'schedule.read';

const source = 'Schedule read result';

const dayMs = 24 * 3600 * 1000;

/** Parses a date as midnight UTC. Returns undefined for anything but an existing date. */
function midnight(date: unknown): number | undefined {
  if (typeof date !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date ? undefined : time;
}

const isDay = (date: unknown) => midnight(date) !== undefined;

const areDays = (days: unknown) => Array.isArray(days) && days.length > 0 && days.every(isDay);

/** Returns whether each date is the day after the previous one. Other requirements cover what is no date. */
function areConsecutive(days: unknown): true | string {
  const all: unknown[] = Array.isArray(days) ? days : [];
  const broken = all.findIndex((day, index) => {
    const [before, time] = [midnight(all[index - 1]), midnight(day)];
    return before !== undefined && time !== undefined && time !== before + dayMs;
  });
  return broken < 0 || `${brief(all[broken - 1])} is followed by ${brief(all[broken])}`;
}

/** Both are dates. Otherwise `schedule.week-start` or `schedule.days` fails. */
const hasComparableStart = (exchange: Completed) =>
  [elements(exchange, 'days')[0], body(exchange).week_start].every(isDay);

const atLeast = (count: number) => (exchange: Completed) => elements(exchange, 'days').length >= count;

/** Sends an ordinary request to every reading tool that needs no data from an earlier response. */
export const usualReadings = story('usual requests of reading tools', {
  steps: async (t) => {
    for (const tool of readingTools) {
      const { usual } = tools[tool];
      if (usual === undefined) continue;
      for (const place of [t.here(), ...t.elsewhere]) {
        const reply = await t.sendOnce(`call ${tool}`, { tool, args: { ...place, ...usual } });
        const what = `arguments of ${tool}, which the specification does not show`;
        await t.part(async () => {
          if (tool === 'content.status' && isRefusal(reply, refusalCodes.invalidArguments))
            t.cannot(what, { kind: 'data', what });
        });
      }
    }
  },
  requirements: [
    row('schedule.week-start', {
      must: 'The server MUST send `week_start` as a date written YYYY-MM-DD.',
      source,
      applies: resultOf(tool),
      answers: [holds('week_start', 'to be a date as YYYY-MM-DD', isDay)],
      hint: 'Send the first day of the week as a plain date, without a time.',
    }),
    row('schedule.days', {
      must: 'The server MUST send `days` as a non-empty array of dates.',
      source,
      applies: resultOf(tool),
      answers: [holds('days', 'to be a non-empty array of dates as YYYY-MM-DD', areDays)],
      hint: 'Send the days of the week as plain dates, without times.',
    }),
    row('schedule.days-consecutive', {
      must: 'The server MUST send consecutive dates in `days`.',
      source,
      applies: resultOf(tool, atLeast(2)),
      answers: [holds('days', 'to be consecutive', areConsecutive)],
      hint: 'Count the days in UTC: local time has days of 23 and 25 hours.',
    }),
    row('schedule.days-from-week-start', {
      must: 'The server MUST send `week_start` as the first of `days`.',
      source,
      applies: resultOf(tool, hasComparableStart),
      answers: (exchange) => [is('week_start', elements(exchange, 'days')[0])],
      hint: 'Set week_start and days from the same first day of the week.',
    }),
    row('schedule.seven-days', {
      should: 'The server SHOULD send seven entries in `days`.',
      source,
      applies: resultOf(tool, atLeast(1)),
      answers: [holds('days', 'to have 7 entries', (days) => Array.isArray(days) && days.length === 7)],
      hint: 'List all seven days of the week, as the example in the specification does.',
    }),
    row('content-status.answers', {
      must: 'The server MUST return a successful result for a valid `content.status` and name the workspace.',
      source: 'content.status',
      ...answersPlainRequests('content.status'),
      // The specification does not show the arguments, so the tool may require one.
      applies: (exchange, seen) =>
        !isRefusal(exchange, refusalCodes.invalidArguments) &&
        answersPlainRequests('content.status').applies(exchange, seen),
      answers: (exchange) => [success, ...(body(exchange).workspace === undefined ? [] : [has('workspace', 'text')])],
      hint: 'Return the counts, with the slug of the workspace.',
    }),
  ],
  alsoTests: [
    ...readingTools.flatMap((tool) => resultRows(tool).map(({ id }) => id)),
    ...outcomes.map(({ id }) => id),
    ...witnessesOf(200),
    ...witnessesOfServiceRules(...toolsWithoutSideEffects),
    'headers.tool-error-on-success',
  ],
});

/** Days until a week for which probably nothing is planned. */
const daysLater = 22;

/**
 * Days of a year on which to read: New Year, and one in each week in which clocks may change in the United States or in
 * the European Union, whichever day weeks begin on.
 */
const daysOfChanges = ['01-01', '03-08', '03-15', '03-22', '03-29', '04-05', '10-25', '11-01', '11-08'];

/** Returns times within a year at which the days of a week may be wrong. */
function timesOfChanges(from: number): number[] {
  const year = new Date(from).getUTCFullYear();
  return [year, year + 1]
    .flatMap((each) => daysOfChanges.map((day) => Date.parse(`${each}-${day}T21:00:00Z`)))
    .filter((at) => at > from && at < from + 366 * dayMs);
}

/**
 * Reads in a later week, if the kit can advance the clock: the week can be empty, and nothing is recent any more. Runs
 * at the end, because keys may expire.
 */
export const weeksLater = story('weeks later', {
  turn: 'end',
  steps: async (t) => {
    if (t.target.clock === undefined) return;
    await t.wait(daysLater * 24 * 60 * 60, `${daysLater} days`, 'clock');
    // A server may forget a default or a pin.
    for (const as of t.present(['defaulted', 'pinned']).slice(0, 1)) {
      const asked = { tool: 'schedule.read', args: {}, as };
      if (isKeyRefused(await t.send('check another key', { ...asked, odd: true }))) continue;
      await t.send('read without naming a workspace', asked);
    }
    if (isKeyRefused(await t.send('check the key', { tool: 'schedule.read', args: t.here(), odd: true }))) return;
    const { receivedAt, clockMoved } = await t.send('search for words', search(t, 'a'));
    for (const { asked } of await readAll(t, 'read', t.here())) await t.send('read again weeks later', asked);
    for (const args of t.elsewhere) await t.send('read elsewhere', { tool: 'content.status', args });
    let now = t.deployment.startedAt + receivedAt + clockMoved;
    for (const at of timesOfChanges(now)) {
      await t.wait(Math.round((at - now) / 1000), 'a later time of the year', 'clock');
      now = at;
      if (isKeyRefused(await t.send('read later', { tool: 'schedule.read', args: t.here() }))) return;
      for (const args of t.has('defaulted') ? t.elsewhere : [])
        await t.send('read elsewhere later', { tool: 'schedule.read', args, as: 'defaulted' });
    }
  },
  alsoTests: ['schedule.days-consecutive', 'library.empty-query-finds'],
});
