import type { TimelineEntry } from '../../suites/result.ts';
import { firstIndex, type Span } from './time-scale.ts';

/** Rounding tolerance, so a request that started before the 429 arrived does not count as later. */
const roundingMs = 2;

/**
 * Time spans in which requests of a key waited after a 429. Overlapping waits are merged. The next request ends a wait,
 * because the run can advance the clock of the deployment instead of waiting. `endMs` is the end of the run.
 */
export function waitsOf(entries: readonly TimelineEntry[], endMs: number): Span[] {
  const starts = entries.map(({ atMs }) => atMs).sort((a, b) => a - b);
  const waits: Span[] = [];
  for (const { atMs, durationMs, waitedMs } of entries.toSorted((a, b) => endOf(a) - endOf(b))) {
    if (waitedMs === undefined) continue;
    const from = Math.max(atMs + durationMs, endOf(waits.at(-1)));
    const next = starts[firstIndex(starts, (start) => start > atMs + durationMs + roundingMs)] ?? endMs;
    const until = Math.min(atMs + durationMs + waitedMs, next);
    if (until > from) waits.push({ atMs: from, durationMs: until - from });
  }
  return waits;
}

function endOf(span: Span | undefined): number {
  return span === undefined ? 0 : span.atMs + span.durationMs;
}
