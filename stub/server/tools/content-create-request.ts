import { slotTimes, timeOn } from '../../world/workspace.ts';
import type { ConformingTool } from '../behavior.ts';
import { isRealDay } from '../state/calendar.ts';
import type { RequestedPiece } from '../state/state.ts';
import { blockOfDay } from './pieces.ts';
import { scoped } from './scoped.ts';

/**
 * Creates a piece in a free planned slot of the day, or else at the usual time of the cadence. A nonexistent day such
 * as `2026-02-30` is accepted, but nothing is scheduled on it.
 */
export const createRequest: ConformingTool<'content.create_request'> = ({ state, behavior, args, place }) => {
  const { workspace } = place;
  const { cadence } = workspace.content;
  const { format, day, title } = args;
  const real = isRealDay(day);
  const times = real ? slotTimes(cadence, day, format) : [];
  const planned = times.length === 0 ? [] : workspace.content.piecesOn(day);
  const free = times.find((time) => !isTaken(planned, format, time) && !isTaken(workspace.requested, format, time));
  const piece: RequestedPiece = {
    piece_id: state.ids.next('pc'),
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
    week_block_id: blockOfDay({ state, workspace, firstWeekday: behavior.firstWeekday }, day),
    filled_planned_slot: piece.filled_planned_slot,
  });
};

interface Timed {
  readonly format: string;
  readonly scheduled_for: string | null;
}

function isTaken(pieces: readonly Timed[], format: string, time: string): boolean {
  return pieces.some((piece) => piece.scheduled_for === time && piece.format === format);
}
