import type { TimelineEntry } from '../../suites/result.ts';
import type { Span } from './time-scale.ts';

/** Times are rounded: a call that was on its way before the 429 came may seem to follow it. */
const roundingMs = 2;

/**
 * When calls of one key were held back after answers 429. Several calls may wait for the same moment, which is one
 * wait; and one that was meant to be longer ended with the next call, as it does where the clock of the deployment was
 * moved. `endMs` is the end of the run.
 */
export function waitsOf(entries: readonly TimelineEntry[], endMs: number): Span[] {
  const starts = entries.map(({ atMs }) => atMs).sort((a, b) => a - b);
  const waits: Span[] = [];
  for (const { atMs, durationMs, waitedMs } of entries.toSorted((a, b) => endOf(a) - endOf(b))) {
    if (waitedMs === undefined) continue;
    const from = Math.max(atMs + durationMs, endOf(waits.at(-1)));
    const next = starts.find((start) => start > atMs + durationMs + roundingMs) ?? endMs;
    const until = Math.min(atMs + durationMs + waitedMs, next);
    if (until > from) waits.push({ atMs: from, durationMs: until - from });
  }
  return waits;
}

function endOf(span: Span | undefined): number {
  return span === undefined ? 0 : span.atMs + span.durationMs;
}
