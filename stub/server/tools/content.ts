import { formats } from '../../../fixtures/contract/enums.ts';
import type { WorkspaceScopedTool } from '../../../fixtures/contract/tools.ts';
import type { Piece } from '../../seeded/data.ts';
import type { Cadence } from '../../seeded/model.ts';
import { digest } from '../../seeded/random.ts';
import { slotTimes, timeOn } from '../../seeded/workspace.ts';
import type { ConformingTool, ToolCall } from '../behavior.ts';
import { isRealDay, type Week, weekOf, weeksBetween } from '../state/calendar.ts';
import type { RequestedPiece } from '../state/state.ts';
import { scoped } from './scoped.ts';

/** A piece in the results of `schedule.read` and `content.status`. */
type ShownPiece = RequestedPiece & { readonly state: string; readonly week_block_id: string | null };

type CalendarCall = Pick<ToolCall<WorkspaceScopedTool>, 'state' | 'behavior' | 'place'>;

/** Returns the planned and requested pieces of a week. */
function piecesOfWeek(call: CalendarCall, week: Week): ShownPiece[] {
  const { content, requested } = call.place.workspace;
  const now = call.state.clock.now();
  const block = blockOfWeek(call, week);
  return week.days.flatMap((day) => [
    ...content.piecesOn(day).map((piece) => showPlanned(piece, day, block, now)),
    ...requested.filter((piece) => piece.day === day).map((piece) => showRequested(piece, block)),
  ]);
}

function showRequested(piece: RequestedPiece, week_block_id: string | null): ShownPiece {
  return { ...piece, state: 'requested', week_block_id };
}

function showPlanned(piece: Piece, day: string, week_block_id: string | null, now: number): ShownPiece {
  const { piece_id, title, format, scheduled_for, platforms } = piece;
  const state = Date.parse(scheduled_for) <= now ? 'published' : piece.state;
  return { piece_id, title, format, state, day, scheduled_for, week_block_id, filled_planned_slot: true, platforms };
}

/** Returns the block ID of a day's week, or null if that week is not open ("Piece", week_block_id). */
function blockOfDay(call: CalendarCall, day: string): string | null {
  return isRealDay(day) ? blockOfWeek(call, weekOf(Date.parse(day), call.behavior.firstWeekday)) : null;
}

function blockOfWeek({ state, behavior, place }: CalendarCall, week: Week): string | null {
  const { slug, cadence } = place.workspace.content;
  const ahead = weeksBetween(state.week(behavior.firstWeekday), week);
  if (ahead < 0 || ahead >= cadence.openWeeks) return null;
  const { seed, writeId } = state.world;
  return writeId('wkb', digest(seed, 'block', slug, week.days[0]).slice(0, 12));
}

/**
 * Creates a piece in a free planned slot of the day, or else at the usual time of the cadence. A nonexistent day such
 * as `2026-02-30` is accepted, but nothing is scheduled on it.
 */
export const createRequest: ConformingTool<'content.create_request'> = (call) => {
  const { state, args, place } = call;
  const { workspace } = place;
  const { cadence } = workspace.content;
  const { format, day, title } = args;
  const real = isRealDay(day);
  const times = real ? slotTimes(cadence, day, format) : [];
  const planned = times.length === 0 ? [] : workspace.content.piecesOn(day);
  const sameFormat = [...planned, ...workspace.requested].filter((other) => other.format === format);
  const free = times.find((time) => !sameFormat.some(({ scheduled_for }) => scheduled_for === time));
  const piece: RequestedPiece = {
    piece_id: state.nextId('pc'),
    title: title ?? null,
    format,
    day,
    scheduled_for: free ?? (real ? timeOn(day, cadence.usualMinute) : null),
    platforms: cadence.platforms[format],
    filled_planned_slot: free !== undefined,
  };
  workspace.requested.push(piece);
  state.trim();
  state.tally.contentRequestsCreated += 1;
  return scoped(place, {
    ok: true,
    piece_id: piece.piece_id,
    format,
    scheduled_for: piece.scheduled_for,
    week_block_id: blockOfDay(call, day),
    filled_planned_slot: piece.filled_planned_slot,
  });
};

/** Returns this week's schedule: a row per format, a cell per day, and the pieces that the cells reference. */
export const readSchedule: ConformingTool<'schedule.read'> = (call) => {
  const { place } = call;
  const { firstWeekday } = call.behavior;
  const week = call.state.week(firstWeekday);
  const pieces = piecesOfWeek(call, week);
  const { slots } = place.workspace.content.cadence;
  return scoped(place, {
    ok: true,
    week_start: week.days[0],
    days: week.days,
    meta_line: metaLine(pieces, slots.length),
    rows: makeRows(week.days, firstWeekday, slots, pieces),
    pieces,
  });
};

function makeRows(
  days: readonly string[],
  firstWeekday: number,
  slots: Cadence['slots'],
  pieces: readonly ShownPiece[],
): object[] {
  return formats.map((format) => {
    const ofRow = pieces.filter((piece) => piece.format === format);
    const slotsOfRow = slots.filter((slot) => slot.format === format);
    const cells = days.map((day, index) => ({
      day,
      planned_slots: slotsOfRow.filter(({ weekday }) => weekday === (firstWeekday + index) % 7).length,
      piece_ids: ofRow.filter((piece) => piece.day === day).map((piece) => piece.piece_id),
    }));
    return { format, cells };
  });
}

function metaLine(pieces: readonly ShownPiece[], slots: number): string {
  const filled = pieces.filter((piece) => piece.filled_planned_slot).length;
  const out = pieces.filter((piece) => piece.state === 'published').length;
  return `${pieces.length} pieces this week, ${out} of them out; ${slots - filled} planned slots are free.`;
}

/** States of this stub. The specification does not define any ("Pieces"). */
const states = ['idea', 'requested', 'drafting', 'in_review', 'scheduled', 'published'] as const;

/** Returns this week's pieces and all requested pieces, with counts by state. */
export const readStatus: ConformingTool<'content.status'> = (call) => {
  const { place } = call;
  const week = call.state.week(call.behavior.firstWeekday);
  const elsewhere = place.workspace.requested.filter((piece) => !week.days.includes(piece.day));
  const pieces = [
    ...piecesOfWeek(call, week),
    ...elsewhere.map((piece) => showRequested(piece, blockOfDay(call, piece.day))),
  ];
  const counts = Object.fromEntries(
    states.map((name) => [name, pieces.filter((piece) => piece.state === name).length] as const),
  );
  return scoped(place, { ok: true, counts, pieces });
};
