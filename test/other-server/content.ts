import { type Answer, declined, type Run, success, text } from './answer.ts';
import type { Json } from './json.ts';

const dayMs = 86_400_000;

/** `content.create_request`: creates a piece for a day. The cadence decides its time. */
export const createRequest = (run: Run): Answer => {
  const { world, args, workspace } = run;
  const { options } = world;
  const day = text(args.day);
  const start = Date.parse(`${day}T00:00:00Z`);
  if (options.pastDaysRefused && start < world.now() - 3 * dayMs) return declined(run, 'day_gone', 'That day is over.');
  // `Date` cannot parse a nonexistent day that matches the pattern. The current time replaces it.
  const moment = (Number.isNaN(start) ? world.now() : start) + options.scheduledShiftHours * 3_600_000;
  const scheduledFor = options.scheduledForNull ? null : utc(moment, options.fraction, options.plusZeroOffset);
  const piece = {
    piece_id: world.nextId('piece'),
    format: text(args.format),
    scheduled_for: scheduledFor,
    week_block_id: options.weekBlockNull ? null : world.nextId('block'),
    filled_planned_slot: options.filledPlannedSlot,
  };
  workspace.pieces.push({ ...piece, title: args.title ?? null, day });
  world.counters.contentRequestsCreated += 1;
  return success(run, piece, 'workspace-and-source');
};

const utc = (moment: number, fraction: boolean, plusZero: boolean) => {
  const [date = '', time = ''] = new Date(moment).toISOString().replace('Z', '').split('T');
  return `${date}T${fraction ? time : time.slice(0, 8)}${plusZero ? '+00:00' : 'Z'}`;
};

/** `schedule.read`: returns the current week in UTC days. */
export const readSchedule = (run: Run): Answer => {
  const { world, workspace } = run;
  const { options } = world;
  const today = Math.floor(world.now() / dayMs) * dayMs;
  const weekday = new Date(today).getUTCDay();
  const start = today - (options.weekStart === 'sunday' ? weekday : (weekday + 6) % 7) * dayMs;
  const days = Array.from({ length: options.weekDays }, (_, index) => dateOf(start + index * dayMs));
  const planned = workspace.pieces.filter(({ day }) => days.includes(text(day)));
  const odd = (entries: Json[]): Json[] => (options.oddRows ? [...entries, 'gap', null, [1, [2]]] : entries);
  return success(run, {
    week_start: dateOf(start),
    days,
    meta_line: options.metaLineEmpty ? '' : `${planned.length} pieces from ${dateOf(start)} on`,
    rows: odd(days.map((day) => [day, planned.filter((piece) => piece.day === day).length])),
    pieces: odd(planned.map((piece) => (options.oddRows ? text(piece.piece_id) : piece))),
  });
};

const dateOf = (moment: number) => new Date(moment).toISOString().slice(0, 10);

/** `content.status`: returns made-up fields, because the specification does not show any. */
export const contentStatus = (run: Run): Answer => {
  const { pieces } = run.workspace;
  return success(run, {
    tally: [
      ['wanted', pieces.length],
      ['out', 0],
    ],
    wanted: pieces.map(({ piece_id }) => text(piece_id)),
  });
};
