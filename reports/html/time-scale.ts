/** A span of time, in milliseconds since the start of the run. */
export interface Span {
  atMs: number;
  durationMs: number;
}

/** A shortened pause. `x` and `width` are in units of the drawing. */
export interface Pause {
  x: number;
  width: number;
  ms: number;
}

export interface TimeScale {
  /** Position of a time, in units of the drawing. */
  x(ms: number): number;
  pauses: Pause[];
}

/** Maximum width of a pause, as a share of the busy time. Longer pauses are shortened. */
const longestPauseShare = 0.08;

/** Linear time scale with long pauses shortened, for example waits for a rate limit. */
export function timeScale(spans: readonly Span[], left: number, width: number): TimeScale {
  const busy = merged(spans);
  const busyMs = busy.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const longestMs = Math.max(20, busyMs * longestPauseShare);
  const stretches = busy.map((span, index) => {
    const before = busy[index - 1];
    const pauseMs = before === undefined ? 0 : span.atMs - (before.atMs + before.durationMs);
    return { ...span, pauseMs, shownMs: Math.min(pauseMs, longestMs) };
  });
  const totalMs = stretches.reduce((sum, { durationMs, shownMs }) => sum + durationMs + shownMs, 0);
  const perMs = totalMs === 0 ? 0 : width / totalMs;

  const knots = [{ ms: busy[0]?.atMs ?? 0, x: left }];
  const pauses: Pause[] = [];
  for (const { atMs, durationMs, pauseMs, shownMs } of stretches) {
    const x = knots.at(-1)?.x ?? left;
    const start = x + shownMs * perMs;
    if (pauseMs > shownMs) pauses.push({ x, width: start - x, ms: pauseMs });
    knots.push({ ms: atMs, x: start }, { ms: atMs + durationMs, x: start + durationMs * perMs });
  }
  return { x: (ms) => between(knots, ms), pauses };
}

interface Knot {
  ms: number;
  x: number;
}

/** Linear interpolation between the nearest knots. */
function between(knots: readonly Knot[], ms: number): number {
  const after = firstIndex(knots, (knot) => knot.ms >= ms);
  const right = knots[after] ?? knots.at(-1);
  const left = knots[after - 1] ?? right;
  if (left === undefined || right === undefined) return 0;
  const share = right.ms === left.ms ? 1 : (ms - left.ms) / (right.ms - left.ms);
  return left.x + (right.x - left.x) * Math.min(1, share);
}

/**
 * Index of the first item that meets a condition, by binary search. All items after the first must also meet it. The
 * length of the list if no item does.
 */
export function firstIndex<T>(items: readonly T[], meets: (item: T) => boolean): number {
  let [from, to] = [0, items.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const item = items[middle];
    if (item === undefined || meets(item)) to = middle;
    else from = middle + 1;
  }
  return from;
}

function merged(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const { atMs, durationMs } of spans.toSorted((a, b) => a.atMs - b.atMs)) {
    const last = all.at(-1);
    if (last === undefined || atMs > last.atMs + last.durationMs)
      all.push({ atMs, durationMs: Math.max(1, durationMs) });
    else last.durationMs = Math.max(last.durationMs, atMs + durationMs - last.atMs);
  }
  return all;
}
