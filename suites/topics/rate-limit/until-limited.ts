import type { Twin } from '../../expectations/rule.ts';
import { type Completed, isSuccess } from '../../history/exchange.ts';
import { isLimited } from '../../situations/limits.ts';
import type { Seen } from '../../situations/seen.ts';
import type { Steps, StoryRequest } from '../steps.ts';

export const needs = { roles: ['throttled'], effects: ['throttling'] } as const;

/** Tools that alternate to reach the limit, in case the server does not count one of them. */
const burstTools = ['credits.balance', 'schedule.read'] as const;

/** Returns a request with the `throttled` key that treats a 429 as an ordinary response. */
export const throttled = (tool: string, args: StoryRequest['args'] = {}): StoryRequest => ({
  tool,
  args,
  as: 'throttled',
  wants429: true,
});

/** Seconds after which a limit per minute has reset. */
export const aMinute = 61;

/** A key at its limit: the tool that returned the 429, and its number of earlier successes. */
export interface Limited {
  readonly tool: string;
  readonly served: number;
}

/** Sends requests until one exceeds the limit, with the concurrency of the pace. */
export async function untilLimited(t: Steps): Promise<Limited> {
  const { maxBurst, concurrency } = t.target.pace;
  const served = new Map<string, number>();
  let limited: string | undefined;
  let sent = 0;
  const sending = async () => {
    while (limited === undefined && sent < maxBurst) {
      const tool = burstTools[sent % burstTools.length] ?? burstTools[0];
      sent += 1;
      if (isLimited(await t.send('exhaust the rate limit', throttled(tool)))) limited ??= tool;
      else served.set(tool, (served.get(tool) ?? 0) + 1);
    }
  };
  const first = await t.send('send a request with the key', throttled('credits.balance'));
  if (isLimited(first)) return { tool: 'credits.balance', served: 0 };
  if (!isSuccess(first)) t.cannot("the server does not serve the key 'throttled', see credits.balance");
  served.set('credits.balance', 1);
  await Promise.all(Array.from({ length: concurrency }, sending));
  const setting = { kind: 'setting', setting: 'pace.maxBurst' } as const;
  if (limited === undefined) return t.cannot(`${maxBurst} requests did not reach the rate limit`, setting);
  return { tool: limited, served: served.get(limited) ?? 0 };
}

/** Most attempts to reach the limit again if the window ends meanwhile. */
const mostAgain = 3;

/** Returns a 429 that is the most recent response, so that the key is still over its limit. */
export async function reachLimitAgain(t: Steps): Promise<Completed> {
  for (let again = 1; again <= mostAgain; again += 1) {
    const over = await t.send('send a request over the limit', throttled((await untilLimited(t)).tool));
    if (isLimited(over)) return over;
  }
  return t.cannot('the rate limit could not be reached again');
}

/** Twin: any success of the key, because responses to a key that never works prove nothing. */
export function wasEverServed({ sender }: Completed, seen: Seen): Twin {
  return { succeeded: seen.successes.ofRole(sender.role), promisedBy: 'authentication.bearer-accepted' };
}
