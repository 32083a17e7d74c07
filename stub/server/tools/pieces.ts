import type { PlannedPiece } from '../../world/model.ts';
import { digest } from '../../world/seeded.ts';
import { isRealDay, type Week, weekOf, weeksBetween } from '../state/calendar.ts';
import type { RequestedPiece, State, WorkspaceState } from '../state/state.ts';

/** A piece in the results of `schedule.read` and `content.status`. */
export interface ShownPiece {
  readonly piece_id: string;
  readonly title: string | null;
  readonly format: string;
  readonly state: string;
  readonly day: string;
  readonly scheduled_for: string | null;
  readonly week_block_id: string | null;
  readonly filled_planned_slot: boolean;
  readonly platforms: readonly string[];
}

export interface Calendar {
  readonly state: State;
  readonly workspace: WorkspaceState;
  readonly firstWeekday: number;
}

/** Returns the planned and requested pieces of a week. */
export function piecesOfWeek(calendar: Calendar, week: Week): ShownPiece[] {
  const { content, requested } = calendar.workspace;
  const now = calendar.state.clock.now();
  const block = blockOfWeek(calendar, week);
  return week.days.flatMap((day) => [
    ...content.piecesOn(day).map((piece) => showPlanned(piece, day, block, now)),
    ...requested.filter((piece) => piece.day === day).map((piece) => showRequested(piece, block)),
  ]);
}

export function showRequested(piece: RequestedPiece, week_block_id: string | null): ShownPiece {
  return { ...piece, state: 'requested', week_block_id };
}

function showPlanned(piece: PlannedPiece, day: string, week_block_id: string | null, now: number): ShownPiece {
  const { piece_id, title, format, scheduled_for, platforms } = piece;
  const state = Date.parse(scheduled_for) <= now ? 'published' : piece.state;
  return { piece_id, title, format, state, day, scheduled_for, week_block_id, filled_planned_slot: true, platforms };
}

/** Returns the block ID of a day's week, or null if that week is not open ("Piece", week_block_id). */
export function blockOfDay(calendar: Calendar, day: string): string | null {
  return isRealDay(day) ? blockOfWeek(calendar, weekOf(Date.parse(day), calendar.firstWeekday)) : null;
}

function blockOfWeek({ state, workspace, firstWeekday }: Calendar, week: Week): string | null {
  const { slug, cadence } = workspace.content;
  const ahead = weeksBetween(state.week(firstWeekday), week);
  if (ahead < 0 || ahead >= cadence.openWeeks) return null;
  const { seed, writeId } = state.world;
  return writeId('wkb', digest(seed, 'block', slug, week.days[0]).slice(0, 12));
}
