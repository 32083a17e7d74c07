/** Time as the kit needs it; tests bring their own. */
export interface Timer {
  /** Milliseconds, monotonic. */
  now(): number;
  /** Does something later; the function that it gives calls that off. */
  after(ms: number, action: () => void): () => void;
  /** Does something again and again in real time, without keeping the process alive; returns what ends it. */
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
