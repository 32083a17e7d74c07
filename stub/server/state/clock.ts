import { checked, time } from '../../worlds/checked.ts';

/** Milliseconds since 1970. */
export interface Clock {
  readonly now: () => number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** The clock of one sandbox. Confirmations, rate limits and the schedule use it. */
export interface MovableClock extends Clock {
  /**
   * Advances by seconds, including fractions, even while frozen. The new time applies to everything in the sandbox as
   * soon as this returns. Throws a RangeError for negative or non-finite values, and for more than a hundred years in
   * total.
   */
  readonly advance: (seconds: number) => void;
  /**
   * Sets the clock to a time such as `2027-03-08T09:00:00Z`. Throws a RangeError for an invalid time or one in the
   * past.
   */
  readonly set: (time: string) => void;
  readonly freeze: () => void;
  readonly resume: () => void;
  readonly frozen: () => boolean;
}

/** A hundred years: more than any test needs, and well within the range of Date. */
const furthestAdvanceSeconds = 100 * 366 * 86_400;

/**
 * Creates a clock that follows `source` and starts at `from` (default: the time of `source`). `note` describes each
 * change.
 */
export function movableClock(source: Clock, note: (what: string) => void, from?: string): MovableClock {
  let ahead = from === undefined ? 0 : Date.parse(from) - source.now();
  let moved = 0;
  let stoodAt: number | null = null;
  const now = (): number => stoodAt ?? source.now() + ahead;
  const move = (seconds: number): void => {
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
    advance(seconds) {
      move(seconds);
      note(`The clock was advanced by ${seconds} seconds.`);
    },
    set(given) {
      checked('A clock', time, given);
      const seconds = (Date.parse(given) - now()) / 1000;
      if (seconds < 0) {
        const shown = new Date(now()).toISOString();
        throw new RangeError(`A clock moves forward only: it shows ${shown}. A sandbox can begin at an earlier time.`);
      }
      move(seconds);
      note(`The clock was set to ${given}.`);
    },
    freeze() {
      stoodAt = now();
      note('The clock was frozen.');
    },
    resume() {
      ahead = now() - source.now();
      stoodAt = null;
      note('The clock was resumed.');
    },
    frozen: () => stoodAt !== null,
  };
}
