import { formats } from '../../../fixtures/contract/enums.ts';
import type { PlannedSlot } from '../../world/model.ts';
import type { ConformingTool } from '../behavior.ts';
import { piecesOfWeek, type ShownPiece } from './pieces.ts';
import { scoped } from './scoped.ts';

/** Returns this week's schedule: a row per format, a cell per day, and the pieces that the cells reference. */
export const readSchedule: ConformingTool<'schedule.read'> = ({ state, behavior, place }) => {
  const { workspace } = place;
  const { firstWeekday } = behavior;
  const week = state.week(firstWeekday);
  const pieces = piecesOfWeek({ state, workspace, firstWeekday }, week);
  const { slots } = workspace.content.cadence;
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
  slots: readonly PlannedSlot[],
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
