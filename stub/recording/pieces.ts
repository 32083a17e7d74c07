import { formats } from '../../fixtures/contract/enums.ts';
import { isRecord, type JsonRecord } from '../../suites/json.ts';
import { dayOf } from '../server/state/calendar.ts';
import type { WorkspaceData } from '../world/data.ts';
import { hidden } from './exchanges.ts';

export type ScheduledPiece = NonNullable<WorkspaceData['schedule']>[number];
export type RequestedPiece = NonNullable<WorkspaceData['requested']>[number];

/** A piece in the form of the data, or why it has none. */
export type ReadPiece =
  | { readonly id: string; readonly scheduled: ScheduledPiece }
  | { readonly id: string; readonly requested: RequestedPiece }
  | { readonly problem: string };

/** Reads an element of `pieces`. The specification does not define its members, except those of a piece. */
export function readPiece(value: unknown): ReadPiece {
  if (!isRecord(value)) return { problem: 'the recording shows pieces that are not objects' };
  const { piece_id: id, state, filled_planned_slot } = value;
  const format = formats.find((name) => name === value.format);
  const scheduled_for = timeOf(value.scheduled_for);
  if (!isName(id)) return { problem: 'the recording shows pieces without piece_id' };
  if (format === undefined) return { problem: 'the recording shows pieces without a format' };
  const title = typeof value.title === 'string' ? value.title : null;
  const common = { piece_id: id, title, format, platforms: textsOf(value.platforms) };
  if (state !== 'requested' && scheduled_for !== undefined)
    return { id, scheduled: { ...common, state: isName(state) ? state : 'scheduled', scheduled_for } };
  const day = dayOfPiece(value, scheduled_for);
  if (day === undefined) return { problem: 'the recording shows pieces without a time' };
  const filled = filled_planned_slot === true;
  return {
    id,
    requested: { ...common, day, scheduled_for: scheduled_for ?? null, filled_planned_slot: filled },
  };
}

function dayOfPiece({ day }: JsonRecord, scheduled_for: string | undefined): string | undefined {
  return typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day) ? day : scheduled_for?.slice(0, 10);
}

/** Returns a time in UTC; undefined if the value is not a time. */
function timeOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(value) && !Number.isNaN(Date.parse(value))) return value;
  const time = Date.parse(value);
  return Number.isNaN(time) || dayOf(time).length !== 10 ? undefined : new Date(time).toISOString();
}

/** Whether a value can be an ID or a name in the data. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes(hidden);
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}
