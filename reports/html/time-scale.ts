/** A span of time in which something happened; milliseconds since the start of the run. */
export interface Span {
  atMs: number;
  durationMs: number;
}

/** A pause that the scale shows shorter than it was. */
export interface Pause {
  x: number;
  width: number;
  ms: number;
}

export interface TimeScale {
  /** Where a moment is, in units of the drawing. */
  x(ms: number): number;
  pauses: Pause[];
}

/** A pause that is longer than this share of the busy time is shortened to it. */
const longestPauseShare = 0.08;

/** A linear scale for the busy times; long pauses, such as a wait for a window to pass, are shortened to a narrow strip. */
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

  let x = left;
  const placed = stretches.map((stretch) => {
    const start = x + stretch.shownMs * perMs;
    x = start + stretch.durationMs * perMs;
    return { ...stretch, start };
  });
  return {
    x: (ms) => {
      const stretch = placed.findLast(({ atMs }) => atMs <= ms) ?? placed[0];
      return stretch === undefined ? left : stretch.start + Math.min(ms - stretch.atMs, stretch.durationMs) * perMs;
    },
    pauses: placed
      .filter(({ pauseMs, shownMs }) => pauseMs > shownMs)
      .map(({ start, shownMs, pauseMs }) => ({ x: start - shownMs * perMs, width: shownMs * perMs, ms: pauseMs })),
  };
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
