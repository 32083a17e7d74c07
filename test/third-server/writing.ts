import { about, success } from './answers.ts';
import type { Answer, Call } from './model.ts';
import { digits } from './world.ts';

/** Creates a piece for the requested day. The cadence decides the time of day. */
export async function create(call: Call): Promise<Answer> {
  call.world.serial += 1;
  const piece_id = `pc-${digits(`piece ${call.world.serial}`, 12)}`;
  const day = String(call.args.day);
  call.world.workspaces.get(call.at.slug)?.pieces.push({ piece_id, title: String(call.args.title ?? ''), day });
  return success({
    piece_id,
    format: call.args.format ?? '',
    scheduled_for: `${day}T09:30:00Z`,
    week_block_id: null,
    filled_planned_slot: false,
    ...about(call),
  });
}
