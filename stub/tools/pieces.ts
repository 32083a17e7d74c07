import type { PlannedPiece } from '../../fixtures/world/model.ts';
import { digest } from '../../fixtures/world/seeded.ts';
import type { RequestedPiece, State, WorkspaceState } from '../state/state.ts';
import { weekOf, weeksAhead } from './calendar.ts';

/** A piece as the schedule and the counts show it. */
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

interface Calendar {
  readonly state: State;
  readonly workspace: WorkspaceState;
  readonly firstWeekday: number;
}

/** Pieces of some days, those of the calendar and those that were asked for. */
export function piecesOnDays(calendar: Calendar, days: readonly string[]): ShownPiece[] {
  const { content, requested } = calendar.workspace;
  return days.flatMap((day) => [
    ...content.piecesOn(day).map((piece) => showPlanned(calendar, piece, day)),
    ...requested.filter((piece) => piece.day === day).map((piece) => showRequested(calendar, piece)),
  ]);
}

export function showPlanned(calendar: Calendar, { state, ...piece }: PlannedPiece, day: string): ShownPiece {
  const over = Date.parse(piece.scheduled_for) <= calendar.state.clock.now();
  return {
    ...piece,
    day,
    state: over ? 'published' : state,
    week_block_id: weekBlock(calendar, day),
    filled_planned_slot: true,
  };
}

export function showRequested(calendar: Calendar, piece: RequestedPiece): ShownPiece {
  return { ...piece, state: 'requested', week_block_id: weekBlock(calendar, piece.day) };
}

/** The block of a day's week, where the workspace has that one open ("Piece", week_block_id). */
export function weekBlock({ state, workspace, firstWeekday }: Calendar, day: string): string | null {
  const { slug, cadence } = workspace.content;
  const ahead = weeksAhead(state.clock.now(), day, firstWeekday);
  if (!(ahead >= 0 && ahead < cadence.openWeeks)) return null;
  const [start] = weekOf(Date.parse(day), firstWeekday);
  return `wkb_${digest(state.world.seed, 'block', slug, start).slice(0, 12)}`;
}
