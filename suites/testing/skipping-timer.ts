import { realTimer, type Timer } from '../session/timer.ts';

/**
 * A timer that waits for nothing: it tells `skip`, which moves the clock of the server under test, how many seconds are
 * left out. For targets within this process only, where nothing else takes time.
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
    every: realTimer.every,
  };
}
