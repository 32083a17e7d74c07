import type { ConformingTool } from '../behavior.ts';
import { blockOfDay, piecesOfWeek, showRequested } from './pieces.ts';
import { scoped } from './scoped.ts';

/** States of this stub. The specification does not define any ("Pieces"). */
const states = ['idea', 'requested', 'drafting', 'in_review', 'scheduled', 'published'] as const;

/** Returns this week's pieces and all requested pieces, with counts by state. */
export const readStatus: ConformingTool<'content.status'> = ({ state, behavior, place }) => {
  const { workspace } = place;
  const calendar = { state, workspace, firstWeekday: behavior.firstWeekday };
  const week = state.week(behavior.firstWeekday);
  const elsewhere = workspace.requested.filter((piece) => !week.days.includes(piece.day));
  const pieces = [
    ...piecesOfWeek(calendar, week),
    ...elsewhere.map((piece) => showRequested(piece, blockOfDay(calendar, piece.day))),
  ];
  const counts = Object.fromEntries(
    states.map((name) => [name, pieces.filter((piece) => piece.state === name).length] as const),
  );
  return scoped(place, { ok: true, counts, pieces });
};
