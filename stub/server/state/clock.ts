/** Milliseconds since 1970. */
export interface Clock {
  readonly now: () => number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that runs with `source`, can be moved ahead of it, and can be stopped. */
export interface MovableClock extends Clock {
  /**
   * Moves by seconds, fractions allowed, also while it stands still. Everything that goes by the clock reads it when it
   * is asked, so all has moved when this returns. Throws a RangeError for what is negative, not finite, or beyond the
   * calendar.
   */
  readonly advance: (seconds: number) => void;
  /** Moves to a time in milliseconds since 1970. Throws a RangeError for one that is past. */
  readonly set: (time: number) => void;
  /** Lets the clock stand still until it is resumed. */
  readonly freeze: () => void;
  readonly resume: () => void;
  readonly frozen: () => boolean;
  /**
   * Remembers the time and whether it stands still; the function that is given goes back to that, as often as it is
   * called.
   */
  readonly save: () => () => void;
}

/** A hundred years: far more than any test needs, and still well inside what a Date can hold. */
const furthestAdvanceSeconds = 100 * 366 * 86_400;

/** `from` is the time that it begins with; the time of its source unless given. */
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
    save() {
      const [time, standing, movedThen] = [now(), stoodAt !== null, moved];
      return () => {
        ahead = time - source.now();
        stoodAt = standing ? time : null;
        moved = movedThen;
      };
    },
  };
}
