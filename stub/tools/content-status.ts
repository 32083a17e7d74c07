import type { Tool } from '../call.ts';
import { weekOf } from './calendar.ts';
import { piecesOnDays, showRequested } from './pieces.ts';
import { scoped } from './scoped.ts';

/** The states of this stub; the document does not show any ("Pieces"). */
const states = ['idea', 'requested', 'drafting', 'in_review', 'scheduled', 'published'] as const;

/** Counts by state over this week's pieces and all that were asked for, with the pieces behind them. */
export const readStatus: Tool<'content.status'> = ({ state, rules, place }) => {
  const calendar = { state, workspace: place.workspace, firstWeekday: rules.firstWeekday };
  const days = weekOf(state.clock.now(), rules.firstWeekday);
  const others = place.workspace.requested.filter((piece) => !days.includes(piece.day));
  const pieces = [...piecesOnDays(calendar, days), ...others.map((piece) => showRequested(calendar, piece))];
  const counts = Object.fromEntries(
    states.map((name) => [name, pieces.filter((piece) => piece.state === name).length] as const),
  );
  return scoped(place, { counts, pieces });
};
