/** Milliseconds since 1970. */
export interface Clock {
  readonly now: () => number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that runs with `source` and can be moved ahead of it. */
export interface MovableClock extends Clock {
  /** Moves by seconds, fractions allowed. Throws a RangeError for what is negative, not finite, or beyond the calendar. */
  readonly advance: (seconds: number) => void;
}

/** A hundred years: far more than any test needs, and still well inside what a Date can hold. */
export const furthestAdvanceSeconds = 100 * 366 * 86_400;

export function movableClock(source: Clock): MovableClock {
  let ahead = 0;
  return {
    now: () => source.now() + ahead,
    advance(seconds) {
      const next = ahead + seconds * 1000;
      if (!(seconds >= 0) || !(next <= furthestAdvanceSeconds * 1000)) {
        throw new RangeError('A clock moves forward only, and by a hundred years in all at most.');
      }
      ahead = next;
    },
  };
}
