import type { Pace } from '../target/target.ts';
import type { Counted } from './budget.ts';
import type { Rate } from './gate.ts';
import type { SentExchange } from './sent-exchange.ts';

/** Shortest default limit of a run, in seconds. */
const leastSeconds = 20 * 60;

/** Factor from the ceiling of a run to twice its planned requests. The ceiling is one and a half times the plan. */
const ofCeiling = 2 / 1.5;

/**
 * Returns the default limit of a run in seconds, at least 20 minutes. The key that takes longest decides: the limit is
 * the time for twice its planned requests at its rate.
 */
export function defaultLimit(
  mostRequests: ReadonlyMap<Counted, number>,
  rateOf: (key: Counted) => Rate | undefined,
): number {
  const needed = [...mostRequests].map(([key, most]) => {
    const rate = rateOf(key);
    return rate === undefined ? 0 : (most * ofCeiling * rate.windowMs) / (rate.calls * 1000);
  });
  return Math.ceil(Math.max(leastSeconds, ...needed));
}

/** Returns the rate that the configuration sets for every key; undefined if it sets none. */
export function rateOfPace({ requestsPerMinute }: Pick<Pace, 'requestsPerMinute'>): Rate | undefined {
  return requestsPerMinute === undefined ? undefined : { calls: requestsPerMinute, windowMs: 60_000 };
}

/** Returns the two activities that took the most time, as a part of a sentence. */
export function whatUsedTheTime(
  exchanges: readonly SentExchange[],
  advances: readonly (readonly [fromMs: number, toMs: number])[] = [],
  nowMs = 0,
): string {
  const spans = new Map<string, [from: number, to: number][]>();
  const add = (what: string, from: number, ms: number) => {
    const known = spans.get(what);
    if (known === undefined) spans.set(what, [[from, from + ms]]);
    else known.push([from, from + ms]);
  };
  for (const { response, problem, atMs, waitedMs = 0, credential, request, ...exchange } of exchanges) {
    const hasEnded = response !== null || problem !== null;
    const durationMs = hasEnded ? exchange.durationMs : Math.max(0, nowMs - atMs);
    if (waitedMs > 0) add(`waiting after 429 with the key '${credential.label}'`, atMs + durationMs, waitedMs);
    add(`waiting for responses of ${request.tool ?? 'no tool'}`, atMs, durationMs);
  }
  for (const [from, to] of advances) add('advancing the clock', from, to - from);
  return [...spans]
    .map(([what, all]) => [what, covered(all)] as const)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 2)
    .map(([what, ms]) => `${what} (${Math.round(ms / 1000)} s)`)
    .join(', ');
}

/** Returns the milliseconds that the spans cover. Overlaps count once. */
function covered(spans: readonly (readonly [from: number, to: number])[]): number {
  let until = Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    sum += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return sum;
}
