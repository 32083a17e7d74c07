import { type Change, changing, field, fields, list, result } from '../../changes/responses.ts';
import { declining } from '../../changes/steps.ts';
import { asked } from '../../changes/workspaces.ts';
import { defect } from '../defect.ts';

const schedule = (...changes: readonly Change[]) => changing(result('schedule.read'), ...changes);

const dayMs = 86_400_000;
/** Adds days to a date. Invalid dates, which other defects can produce, stay unchanged. */
const shifted = (day: unknown, days: number): unknown => {
  const time = Date.parse(String(day));
  return Number.isNaN(time) ? day : new Date(time + days * dayMs).toISOString().slice(0, 10);
};

/** Defects in the schedule and in the counts by state. */
export const scheduleDefects = {
  'schedule-unread-while-named': defect('refuses schedule.read if the request names a workspace')
    .breaks('schedule.answers')
    .by(declining('schedule.read', (call) => asked(call) !== undefined)),
  'week-start-with-time': defect('gives week_start with a time of day')
    .breaks('schedule.week-start', 'schedule.days-from-week-start')
    .by(schedule(field('week_start', (day) => `${day}T00:00:00Z`))),
  'week-start-in-local-form': defect('writes week_start with dots, the day first')
    .breaks('schedule.week-start', 'schedule.days-from-week-start')
    .by(schedule(field('week_start', (day) => String(day).split('-').reverse().join('.')))),
  'days-as-objects': defect('lists the days as objects with a date')
    .breaks('schedule.days', 'schedule.days-from-week-start')
    .by(schedule(list('days', (days) => days.map((date) => ({ date }))))),
  'days-empty': defect('lists no days')
    .breaks('schedule.days')
    .by(schedule(fields({ days: [] }))),
  'days-with-times': defect('lists the days with their midnight')
    .breaks('schedule.days', 'schedule.days-from-week-start')
    .by(schedule(list('days', (days) => days.map((day) => `${day}T00:00:00Z`)))),
  'days-backwards': defect('lists the days of the week from the last to the first')
    .breaks('schedule.days-consecutive', 'schedule.days-from-week-start')
    .by(schedule(list('days', (days) => days.toReversed()))),
  'day-of-25-hours': defect('lists a day twice, as adding 24 hours does when the clocks go back')
    .breaks('schedule.days-consecutive')
    .by(schedule(list('days', (days) => [...days.slice(0, 4), ...days.slice(3, 6)]))),
  'weekend-first': defect('lists the weekend before the other days')
    .breaks('schedule.days-consecutive', 'schedule.days-from-week-start')
    .by(schedule(list('days', (days) => [...days.slice(5), ...days.slice(0, 5)]))),
  'week-start-a-day-early': defect('gives a week_start in local time, a day before the first of its days')
    .breaks('schedule.days-from-week-start')
    .by(schedule(field('week_start', (day) => shifted(day, -1)))),
  'working-week': defect('lists five days')
    .breaks('schedule.seven-days')
    .by(schedule(list('days', (days) => days.slice(0, 5)))),
  'eighth-day': defect('lists the first day of the next week too')
    .breaks('schedule.seven-days')
    .by(schedule(list('days', (days) => [...days, shifted(days.at(-1), 1)]))),
  'meta-line-as-object': defect('sends meta_line as an object of its parts')
    .breaks('schedule.meta-line')
    .by(schedule(field('meta_line', (text) => ({ text })))),
  'meta-line-null': defect('sends meta_line as null')
    .breaks('schedule.meta-line')
    .by(schedule(fields({ meta_line: null }))),
  'rows-by-format': defect('sends rows as an object with a member for each format')
    .breaks('schedule.rows')
    .by(schedule(list('rows', (rows) => ({ ...rows })))),
  'rows-left-out': defect('leaves out rows')
    .breaks('schedule.rows')
    .by(schedule(fields({ rows: undefined }))),
  'pieces-null': defect('sends pieces as null')
    .breaks('schedule.pieces')
    .by(schedule(fields({ pieces: null }))),
  'pieces-counted': defect('sends the number of pieces instead of the pieces')
    .breaks('schedule.pieces')
    .by(schedule(list('pieces', (pieces) => pieces.length))),
  'counts-refused': defect('refuses content.status if the request names a workspace')
    .breaks('content-status.answers')
    .by(declining('content.status', (call) => asked(call) !== undefined)),
  'status-workspace-null': defect('sends null for the workspace of content.status')
    .breaks(
      'content-status.answers',
      'workspaces.result-names-workspace',
      'workspaces.argument-honoured',
      'workspaces.argument-honoured-every-tool',
      'workspaces.working-in-agrees',
    )
    .by(changing(result('content.status'), fields({ workspace: null }))),
};
