import type { Context } from '../engine/context.ts';
import type { Answered } from '../exchange.ts';

/** A refusal with `invalid_arguments`: an empty `workspace`, which every workspace-scoped tool refuses. */
export function invalidArguments(t: Context): Promise<Answered> {
  return t.call('schedule.read', { workspace: '' });
}

/** A refusal with `workspace_ambiguous`. */
export function ambiguous(t: Context): Promise<Answered> {
  return t.call('schedule.read', {}, { as: 'ambiguous' });
}
