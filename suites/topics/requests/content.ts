import type { Completed } from '../../exchange/exchange.ts';
import { declinedWith } from '../../model/world/house-rules.ts';
import type { Args, Steps, StoryRequest } from '../steps.ts';
import { dayAfter } from './proposals.ts';

const tool = 'content.create_request';

export function creating(t: Steps, change: Args = {}, how: Partial<StoryRequest> = {}): StoryRequest {
  return { tool, args: { ...t.contentRequest(), ...change }, ...how };
}

/** Days after the default one. A service may close some weekdays, or limit the pieces per day. */
const laterDays = [7, 14, 1, 2];

/** Creates a content request. If the service declines by its own rule, such as on a full day, tries other days. */
export async function createOnSomeDay(
  t: Steps,
  step: string,
  change: Args = {},
  how: Partial<StoryRequest> = {},
): Promise<Completed> {
  let reply = await t.send(step, creating(t, change, how));
  const usual = Date.parse(String(t.contentRequest().day));
  for (const later of change.day === undefined ? laterDays : []) {
    if (declinedWith(reply) === undefined) break;
    const day = dayAfter(usual, later);
    reply = await t.send(`${step}, on another day`, creating(t, { ...change, day }, how));
  }
  return reply;
}

export const titled = (t: Steps, text: string) => `tck ${t.deployment.runId} ${text}`;
