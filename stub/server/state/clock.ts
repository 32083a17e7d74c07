/** Milliseconds since 1970. */
export interface Clock {
  readonly now: () => number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that follows `source`, can be advanced, and can be frozen. */
export interface MovableClock extends Clock {
  /**
   * Advances by seconds, including fractions, even while frozen. The new time applies to everything in the sandbox as
   * soon as this returns. Throws a RangeError for negative or non-finite values, and for more than a hundred years in
   * total.
   */
  readonly advance: (seconds: number) => void;
  /** Advances to a time in milliseconds since 1970. Throws a RangeError for a time in the past. */
  readonly set: (time: number) => void;
  readonly freeze: () => void;
  readonly resume: () => void;
  readonly frozen: () => boolean;
}

/** A hundred years: more than any test needs, and well within the range of Date. */
const furthestAdvanceSeconds = 100 * 366 * 86_400;

/** Creates a clock that starts at `from`, in milliseconds since 1970 (default: the time of `source`). */
export function movableClock(source: Clock, from = source.now()): MovableClock {
  let ahead = from - source.now();
  let moved = 0;
  let stoodAt: number | null = null;
  const now = (): number => stoodAt ?? source.now() + ahead;
  const advance = (seconds: number): void => {
    const next = moved + seconds * 1000;
    if (!(seconds >= 0) || !(next <= furthestAdvanceSeconds * 1000)) {
      throw new RangeError('A clock moves forward only, and by a hundred years in all at most.');
    }
    moved = next;
    if (stoodAt === null) ahead += seconds * 1000;
    else stoodAt += seconds * 1000;
  };
  return {
    now,
    advance,
    set(time) {
      const seconds = (time - now()) / 1000;
      if (seconds < 0) {
        const shown = new Date(now()).toISOString();
        throw new RangeError(`A clock moves forward only: it shows ${shown}. A sandbox can begin at an earlier time.`);
      }
      advance(seconds);
    },
    freeze() {
      stoodAt = now();
    },
    resume() {
      ahead = now() - source.now();
      stoodAt = null;
    },
    frozen: () => stoodAt !== null,
  };
}
