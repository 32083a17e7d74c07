import { formats } from '../../fixtures/contract/tools.ts';
import type { Tool } from '../call.ts';
import { weekdayOf, weekOf } from './calendar.ts';
import { piecesOnDays, type ShownPiece } from './pieces.ts';
import { scoped } from './scoped.ts';

/** What goes out this week: a row for each format, a cell for each day, and the pieces that the cells refer to. */
export const readSchedule: Tool<'schedule.read'> = ({ state, rules, place }) => {
  const { workspace } = place;
  const { firstWeekday } = rules;
  const days = weekOf(state.clock.now(), firstWeekday);
  const pieces = piecesOnDays({ state, workspace, firstWeekday }, days);
  const { slots } = workspace.content.cadence;
  const rows = formats.map((format) => ({
    format,
    cells: days.map((day) => ({
      day,
      planned_slots: slots.filter((slot) => slot.format === format && slot.weekday === weekdayOf(day)).length,
      piece_ids: pieces.filter((piece) => piece.format === format && piece.day === day).map((piece) => piece.piece_id),
    })),
  }));
  return scoped(place, {
    week_start: days[0],
    days,
    meta_line: metaLine(pieces, slots.length),
    rows,
    pieces,
  });
};

function metaLine(pieces: readonly ShownPiece[], slots: number): string {
  const filled = pieces.filter((piece) => piece.filled_planned_slot).length;
  const out = pieces.filter((piece) => piece.state === 'published').length;
  return `${pieces.length} pieces this week, ${out} of them out; ${slots - filled} planned slots are free.`;
}
