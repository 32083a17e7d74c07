import { type Change, changing, field, fields, list, result } from '../../../../stub/variants/changes/responses.ts';
import { declining } from '../../../../stub/variants/changes/steps.ts';
import { asked } from '../../../../stub/variants/changes/workspaces.ts';
import { defect } from '../../../../stub/variants/defect.ts';

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
  'week-start-with-time': defect('sends week_start with a time of day')
    .breaks('schedule.week-start', 'schedule.days-from-week-start')
    .by(schedule(field('week_start', (day) => `${day}T00:00:00Z`))),
  'week-start-in-local-form': defect('writes week_start as DD.MM.YYYY')
    .breaks('schedule.week-start', 'schedule.days-from-week-start')
    .by(schedule(field('week_start', (day) => String(day).split('-').reverse().join('.')))),
  'days-as-objects': defect('sends the elements of days as objects that contain the date')
    .breaks('schedule.days', 'schedule.days-from-week-start')
    .by(schedule(list('days', (days) => days.map((date) => ({ date }))))),
  'day-of-25-hours': defect('lists a day twice, because it adds 24 hours for each day even if the clocks go back')
    .breaks('schedule.days-consecutive')
    .by(schedule(list('days', (days) => [...days.slice(0, 4), ...days.slice(3, 6)]))),
  'weekend-first': defect('lists the last two days of the week before the others')
    .breaks('schedule.days-consecutive', 'schedule.days-from-week-start')
    .by(schedule(list('days', (days) => [...days.slice(5), ...days.slice(0, 5)]))),
  'working-week': defect('lists only five days')
    .breaks('schedule.seven-days')
    .by(schedule(list('days', (days) => days.slice(0, 5)))),
  'eighth-day': defect('also lists the first day of the next week')
    .breaks('schedule.seven-days')
    .by(schedule(list('days', (days) => [...days, shifted(days.at(-1), 1)]))),
  'meta-line-as-object': defect('sends meta_line as an object')
    .breaks('schedule.meta-line')
    .by(schedule(field('meta_line', (text) => ({ text })))),
  'meta-line-null': defect('sends meta_line as null')
    .breaks('schedule.meta-line')
    .by(schedule(fields({ meta_line: null }))),
  'rows-by-format': defect('sends the member rows as an object instead of an array')
    .breaks('schedule.rows')
    .by(schedule(list('rows', (rows) => ({ ...rows })))),
  'rows-left-out': defect('leaves out the member rows')
    .breaks('schedule.rows')
    .by(schedule(fields({ rows: undefined }))),
  'pieces-counted': defect('sends the number of pieces instead of an array of pieces')
    .breaks('schedule.pieces')
    .by(schedule(list('pieces', (pieces) => pieces.length))),
  'status-workspace-null': defect('sends null as the workspace in the results of content.status')
    .breaks(
      'content-status.answers',
      'workspaces.result-names-workspace',
      'workspaces.argument-honoured',
      'workspaces.argument-honoured-every-tool',
      'workspaces.working-in-agrees',
    )
    .by(changing(result('content.status'), fields({ workspace: null }))),
};
