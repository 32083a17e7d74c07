import { isSuccess } from '../history/exchange.ts';
import { flow } from './flow.ts';
import type { Asked, Steps } from './steps.ts';

/** The tools with which the limit is met, in turn: should one of them not be counted, the other is. */
export const burstTools = ['credits.balance', 'schedule.read'] as const;

/** A request of the key that may be exhausted; a 429 is a response like any other. */
export const throttled = (tool: string, args: Asked['args'] = {}): Asked => ({
  tool,
  args,
  as: 'throttled',
  wants429: true,
});

/** Sends requests until one of them is over the limit, as many at once as the pace allows; tells which tool that was. */
export async function untilLimited(t: Steps): Promise<string> {
  const { maxBurst, concurrency } = t.target.pace;
  let limited: string | undefined;
  let sent = 0;
  const served = await t.send('use the key', throttled('credits.balance'));
  if (served.response.status === 429) return 'credits.balance';
  if (!isSuccess(served)) t.cannot('the key is not served, see credits.balance');
  const sending = async () => {
    while (limited === undefined && sent < maxBurst) {
      const tool = burstTools[sent % burstTools.length] ?? burstTools[0];
      sent += 1;
      const { response } = await t.send('use up the limit', throttled(tool));
      if (response.status === 429) limited ??= tool;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, sending));
  const setting = { kind: 'setting', setting: 'pace.maxBurst' } as const;
  return limited ?? t.cannot(`the rate limit was not met within ${maxBurst} requests`, setting);
}

/** A key is used up to its limit. */
export const overTheLimit = flow(
  'over the limit',
  {
    lane: 'limits',
    needs: { roles: ['throttled'], effects: ['throttling'] },
    witnesses: ['headers.beta-on-429'],
  },
  async (t) => {
    await untilLimited(t);
  },
);
