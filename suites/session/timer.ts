/** Time source of the kit. Tests provide their own. */
export interface Timer {
  /** Monotonic time in milliseconds. */
  now(): number;
  /** Runs `action` after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, action: () => void): () => void;
  /**
   * Runs `action` every `ms` milliseconds of real time, without keeping the process alive. Returns a function that
   * stops it.
   */
  every(ms: number, action: () => void): () => void;
}

export const realTimer: Timer = {
  now: () => performance.now(),
  after(ms, action) {
    const timeout = setTimeout(action, ms);
    return () => clearTimeout(timeout);
  },
  every(ms, action) {
    const interval = setInterval(action, ms).unref();
    return () => clearInterval(interval);
  },
};
