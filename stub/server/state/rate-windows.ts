/** Limit of buckets. Conforming behavior needs one per key; some deviations use other buckets. */
const mostBuckets = 512;

/** Windows end slightly early: a timer of exactly `Retry-After` seconds can fire a millisecond too soon. */
const graceMs = 5;

/** Counts requests in fixed windows. A window starts with the first request after the previous window ended. */
export class RateWindows {
  readonly #windows = new Map<string, { endsAt: number; calls: number }>();

  /**
   * Counts a request, unless it exceeds the limit. Returns the whole seconds to wait, or 0 if the request is allowed.
   * @param bucket identifies requests that share a limit
   * @param now milliseconds since 1970
   */
  take(bucket: string, limit: number, windowSeconds: number, now: number): number {
    const windows = this.#windows;
    const window = windows.get(bucket);
    if (window === undefined || now >= window.endsAt) {
      windows.delete(bucket);
      windows.set(bucket, { endsAt: now + windowSeconds * 1000 - graceMs, calls: 1 });
      const [oldest] = windows.size > mostBuckets ? windows.keys() : [];
      if (oldest !== undefined) windows.delete(oldest);
      return 0;
    }
    if (window.calls < limit) {
      window.calls += 1;
      return 0;
    }
    return Math.max(1, Math.ceil((window.endsAt - now) / 1000));
  }
}
