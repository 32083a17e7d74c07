import type { Format } from '../../fixtures/contract/tools.ts';
import type { Needs } from '../check.ts';
import type { Args, Context } from '../engine/context.ts';
import { type Answered, isSuccess } from '../exchange.ts';

/** What every check needs that calls `content.create_request`, even where it expects a refusal. */
export const writes: Needs = { effects: ['writes'] };

/** The start of every title, by which what the kit created can be found again. */
export function marker(t: Context): string {
  return `tck ${t.ground.runId}`;
}

/** A request as the document shows it, in the workspace worked in. */
export function aRequest(t: Context, more: Args = {}): Args {
  return { ...t.here(), format: 'posts', day: t.ground.day, title: `${marker(t)} control`, ...more };
}

/** A content request of each format, created once in a run. */
export function created(t: Context, format: Format): Promise<Answered> {
  return t.once(`created ${format}`, () =>
    t.call('content.create_request', aRequest(t, { format, title: `${marker(t)} ${format}` })),
  );
}

/** The control of every check that expects a refusal of `content.create_request`. */
export async function controlCreated(t: Context): Promise<Answered> {
  const answer = await created(t, 'posts');
  // The service may decline any day by a rule of its own; what it may not is judged on every exchange.
  if (!isSuccess(answer)) t.cannot('no content request was created, see content-requests.created');
  return answer;
}
