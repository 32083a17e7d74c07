import type { Timer } from '../suites/session/run-time.ts';

/**
 * Creates a timer that never waits. Instead, it passes the skipped seconds to `skip`, which advances the clock of the
 * tested server. Use it only for targets in this process, where nothing else takes time.
 */
export function skippingTimer(skip: (seconds: number) => void): Timer {
  let skippedMs = 0;
  const now = () => performance.now() + skippedMs;
  return {
    now,
    after(ms, action) {
      const at = now() + ms;
      const immediate = setImmediate(() => {
        const leftMs = Math.max(0, at - now());
        skippedMs += leftMs;
        skip(leftMs / 1000);
        action();
      });
      return () => clearImmediate(immediate);
    },
  };
}
