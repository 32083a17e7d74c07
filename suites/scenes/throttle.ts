import type { Args, Context } from '../engine/context.ts';
import type { Answered } from '../exchange.ts';
import { succeeds } from '../expect/answers.ts';
import { retryAfterSeconds } from '../session/retry-after.ts';

/** The tools with which the cap is met, in turn: should one of them not be counted, the other is. */
const burstTools = ['credits.balance', 'schedule.read'] as const;

/** One call with the key that may be exhausted; a 429 is an answer like any other. */
export function throttledCall(t: Context, tool: string, args: Args = {}): Promise<Answered> {
  return t.call(tool, args, { as: 'throttled', wants429: true });
}

/** Calls until the cap is met, as many at once as the pace allows; ends the check as not tested where it is not met. */
export async function exhaust(t: Context): Promise<Answered[]> {
  const { maxBurst, concurrency } = t.target.pace;
  const over: Answered[] = [];
  let sent = 0;
  const caller = async () => {
    while (over.length === 0 && sent < maxBurst) {
      sent += 1;
      const answer = await throttledCall(t, burstTools[sent % burstTools.length] ?? burstTools[0]);
      if (answer.answer.status === 429) over.push(answer);
      // Whatever else is said of the cap, a call within it succeeds and one over it is a 429.
      else if (answer.request.tool === 'credits.balance' && answer.answer.status < 500) {
        const failed = succeeds(answer, 'over its cap a key gets a 429, and nothing else');
        // The other callers stop too.
        if (failed !== undefined) sent = maxBurst;
        t.control('credits.balance', failed);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  if (over.length > 0) return over;
  return t.cannot(`the cap was not met within ${maxBurst} calls`, { kind: 'setting', setting: 'pace.maxBurst' });
}

/** The first answers over the cap of this run. */
export function overTheCap(t: Context): Promise<Answered[]> {
  return t.once('over the cap', () => exhaust(t));
}

/** The tool that a 429 of this run answered. */
export async function cappedTool(t: Context): Promise<string> {
  return (await overTheCap(t))[0]?.request.tool ?? burstTools[0];
}

/** An answer 429 that holds just now: the key is brought to its cap again where its window has passed. */
export async function stillOver(t: Context): Promise<Answered> {
  const now = await throttledCall(t, await cappedTool(t));
  if (now.answer.status === 429) return now;
  const [again] = await exhaust(t);
  return again ?? t.cannot('the cap could not be met again');
}

/** Waits as long as an answer says, by the clock where it can be moved. */
export async function waitOut(t: Context, over: Answered): Promise<number> {
  const seconds = retryAfterSeconds(over);
  if (seconds === undefined) return t.cannot('Retry-After is not a whole number of seconds');
  if (t.target.clock !== undefined) {
    await t.session.advance(seconds);
    return seconds;
  }
  if (seconds > t.target.pace.maxWaitSeconds) {
    return t.cannot(`Retry-After is ${seconds}, longer than maxWaitSeconds`, {
      kind: 'setting',
      setting: 'pace.maxWaitSeconds',
    });
  }
  await t.session.wait(seconds, 'the key brought to its cap has to wait');
  return seconds;
}
