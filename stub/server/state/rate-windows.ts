/** Counts requests in fixed windows, each beginning with the first request after the one before has ended. */
export interface RateWindows {
  /**
   * Counts a request and says how many whole seconds to wait; 0 when the request is within the limit. A request over
   * the limit is not counted.
   * @param bucket whose calls are counted together
   * @param now milliseconds since 1970
   */
  readonly take: (bucket: string, limit: number, windowSeconds: number, now: number) => number;
  readonly save: () => () => void;
}

/** Most buckets that are remembered: far more than there are keys, for deviations that count by something else. */
const mostBuckets = 512;

/** Windows end a hair early: a timer of exactly `Retry-After` seconds may fire a millisecond before its time. */
const graceMs = 5;

export function createRateWindows(): RateWindows {
  const windows = new Map<string, { endsAt: number; calls: number }>();
  return {
    take(bucket, limit, windowSeconds, now) {
      const window = windows.get(bucket);
      if (window === undefined || now >= window.endsAt) {
        windows.set(bucket, { endsAt: now + windowSeconds * 1000 - graceMs, calls: 1 });
        if (windows.size > mostBuckets) forget(windows, now);
        return 0;
      }
      if (window.calls < limit) {
        window.calls += 1;
        return 0;
      }
      return Math.max(1, Math.ceil((window.endsAt - now) / 1000));
    },
    save() {
      const copy = [...windows].map(([bucket, window]) => [bucket, { ...window }] as const);
      return () => {
        windows.clear();
        for (const [bucket, window] of copy) windows.set(bucket, { ...window });
      };
    },
  };
}

/** Makes room: first windows that are over, then the one that began first. */
function forget(windows: Map<string, { readonly endsAt: number }>, now: number): void {
  for (const [bucket, { endsAt }] of windows) if (endsAt <= now) windows.delete(bucket);
  for (const bucket of windows.keys()) {
    if (windows.size <= mostBuckets) return;
    windows.delete(bucket);
  }
}
