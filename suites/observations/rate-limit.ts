import type { Answered } from '../exchange.ts';
import { retryAfterSeconds } from '../session/retry-after.ts';
import { observation } from './observation.ts';
import { everything } from './seen.ts';

/** Calls served in the window before a call that was refused, itself sent within a moment of the refusal; a moved clock ends a window. */
function servedBefore(
  calls: readonly Answered[],
  over: Answered,
  windowSeconds: number,
  movedAtMs: readonly number[],
): number {
  const moved = movedAtMs.findLast((atMs) => atMs < over.atMs) ?? 0;
  const start = Math.max(over.atMs + over.durationMs - windowSeconds * 1000, moved);
  return calls.filter(
    ({ answer, atMs, durationMs }) =>
      answer.status !== 429 &&
      answer.status !== 401 &&
      answer.status !== 403 &&
      atMs + durationMs > start &&
      atMs <= over.atMs + over.durationMs,
  ).length;
}

export const rateLimit = [
  observation({
    answers: ['rate-limit.cap', 'rate-limit.window'],
    run(t) {
      const calls = everything(t).filter(({ credential }) => credential.role === 'throttled');
      const over = calls.filter(({ answer }) => answer.status === 429);
      const [first] = over;
      const seconds = over.map(retryAfterSeconds).filter((value) => value !== undefined);
      if (first === undefined || seconds.length === 0) return;
      const windowSeconds = Math.max(...seconds);
      const longest = over.find((each) => retryAfterSeconds(each) === windowSeconds) ?? first;
      t.observe('rate-limit.window', windowSeconds, longest);
      t.observe('rate-limit.cap', servedBefore(calls, first, windowSeconds, t.session.movedAtMs), first);
    },
  }),
];
