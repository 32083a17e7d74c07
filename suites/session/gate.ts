import type { Rate, Timer } from './run-time.ts';

/** A key that served this many times what it gets at once has a limit on its rate, not on the requests in flight. */
const servedToAtOnce = 2;

/** A limit on the rate needs no fewer requests in flight than this, the most that can exceed it at once. */
const leastByRate = 4;

/** Part of a rate after which a request that should not exceed it waits. The rate is an estimate. */
const nearRate = 9 / 10;

/** Longest window of a rate. A longer wait is beyond `maxWaitSeconds`, or rare. */
const longestMs = 120_000;

/**
 * How to avoid a 429. `room`: waits if the key is near a rate that it has shown. `alone`: also waits until no other
 * request of the key is in flight. The request then exceeds an unknown rate only if it is the first to do so.
 */
export type Care = 'none' | 'room' | 'alone';

/** Requests of one key: what may be in flight, and when the next may be sent. */
class Lane {
  inFlight = 0;
  /** Whether a request is in flight that goes alone. */
  isAlone = false;
  pausedUntil = 0;
  spacedUntil = 0;
  /** Undefined until a 429 shows a limit on the rate. */
  rate: Rate | undefined;
  #mostAtOnce: number;
  /** When requests ended without a 429. */
  #served: number[] = [];
  #countsFrom: number;

  constructor(mostAtOnce: number, now: number) {
    this.#mostAtOnce = mostAtOnce;
    this.#countsFrom = now;
  }

  /** Returns when a request may be sent; infinity if that depends on a pending response. */
  next(now: number, care: Care): number {
    if (this.isAlone || this.inFlight >= (care === 'alone' ? 1 : this.#mostAtOnce)) return Number.POSITIVE_INFINITY;
    return Math.max(this.pausedUntil, this.spacedUntil, care === 'none' ? 0 : this.#roomAt(now));
  }

  #roomAt(now: number): number {
    if (this.rate === undefined) return now;
    const { calls, windowMs } = this.rate;
    const recent = this.#served.filter((at) => at > now - windowMs);
    const tooMany = Math.ceil(recent.length + this.inFlight - nearRate * calls);
    const leaving = tooMany < 0 ? undefined : recent[tooMany];
    return leaving === undefined ? now : leaving + windowMs + 1;
  }

  served(now: number): void {
    this.#served.push(now);
    while ((this.#served[0] ?? now) < now - longestMs) this.#served.shift();
  }

  /** Records a 429. The first one of several that arrive together halves the number of requests in flight. */
  refused(now: number, seconds: number): void {
    const endsAt = now + seconds * 1000;
    if (now >= this.pausedUntil) {
      const from = Math.max(this.#countsFrom, now - seconds * 1000);
      const calls = this.#served.filter((at) => at > from).length;
      const byRate = calls >= servedToAtOnce * this.#mostAtOnce;
      if (byRate) this.rate = { calls, windowMs: seconds * 1000 };
      if (!byRate || this.#mostAtOnce > leastByRate) this.#mostAtOnce = Math.max(1, Math.floor(this.#mostAtOnce / 2));
      this.#countsFrom = endsAt;
    }
    this.pausedUntil = Math.max(this.pausedUntil, endsAt);
  }

  /** Forgets when requests were sent and served, because the deployment's clock was advanced. */
  forget(): void {
    this.pausedUntil = this.spacedUntil = 0;
    this.#served = [];
  }
}

interface Waiting {
  lane: Lane | null;
  /** Requests with a lower rank go first. */
  rank: number;
  care: Care;
  admit: (() => boolean) | undefined;
  enter: () => void;
  fail: (error: unknown) => void;
}

/**
 * Admits requests: at most `concurrency` at once, and each lane (a key) at its rate. A 429 pauses its lane as long as
 * it asks for, and halves what the lane sends at once. Requests of one rank are admitted in order of arrival. A lane
 * that must wait does not block other lanes.
 */
export class Gate {
  readonly #concurrency: number;
  #spacingMs: number;
  readonly #timer: Timer;
  readonly #queue: Waiting[] = [];
  readonly #lanes = new Map<string, Lane>();
  #heeding = true;
  #pausedUntil = 0;
  /** Most requests that may be in flight at present. */
  #most: number;
  #inside = 0;
  #wakeAt = Number.POSITIVE_INFINITY;
  #callOff: () => void = () => undefined;

  constructor(concurrency: number, requestsPerMinute: number | undefined, timer: Timer) {
    this.#concurrency = concurrency;
    this.#most = concurrency;
    this.#spacingMs = requestsPerMinute === undefined ? 0 : 60_000 / requestsPerMinute;
    this.#timer = timer;
  }

  /**
   * Resolves when a request of this lane may be sent. Each call must then be followed by one `leave` of the same lane.
   * Requests without a lane ignore rates and rate limits.
   *
   * `admit` is called when the pace allows the request. While it returns false, this request and all later ones with
   * an `admit` wait for others to leave, so that small requests do not starve a large one. If it throws, the request is
   * not sent.
   */
  enter(lane: string | null, rank = 0, care: Care = 'none', admit?: () => boolean): Promise<void> {
    return new Promise((enter, fail) => {
      this.#queue.push({ lane: lane === null ? null : this.#lane(lane), rank, care, admit, enter, fail });
      this.#pump();
    });
  }

  /**
   * Records the end of a request. With `refusedForSeconds`, the lane must wait. Without it, the request was served or
   * may have been.
   */
  leave(name: string | null, refusedForSeconds?: number): void {
    this.#inside -= 1;
    if (name !== null) {
      const lane = this.#lane(name);
      lane.inFlight -= 1;
      lane.isAlone = false;
      if (refusedForSeconds === undefined) lane.served(this.#timer.now());
      else lane.refused(this.#timer.now(), refusedForSeconds);
    }
    this.#pump();
  }

  /** Pauses all lanes for `seconds`, then admits one request at a time until `resume`. */
  pause(seconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#timer.now() + seconds * 1000);
    this.#most = 1;
  }

  resume(): void {
    this.#most = this.#concurrency;
  }

  /** Returns the rate that a lane has shown; undefined if no 429 has limited it. */
  rateOf(lane: string): Rate | undefined {
    return this.#lanes.get(lane)?.rate;
  }

  /** Ends all waits of keys, because the deployment's clock was advanced. */
  forgetPauses(): void {
    this.#callOff();
    this.#wakeAt = Number.POSITIVE_INFINITY;
    for (const lane of this.#lanes.values()) lane.forget();
    this.#pump();
  }

  /** Limits only concurrency from now on. The requests that wait here were cancelled. */
  open(): void {
    this.#spacingMs = 0;
    this.#heeding = false;
    this.resume();
    this.forgetPauses();
  }

  #lane(name: string): Lane {
    const lane = this.#lanes.get(name) ?? new Lane(this.#concurrency, this.#timer.now());
    this.#lanes.set(name, lane);
    return lane;
  }

  #pump(): void {
    const now = this.#timer.now();
    if (this.#heeding && now < this.#pausedUntil) {
      this.#wake(this.#pausedUntil, now);
      return;
    }
    this.#queue.sort((a, b) => a.rank - b.rank);
    // If a request must wait, all later requests of its lane must wait too.
    const held = new Set<Lane | null>();
    let isFull = false;
    for (const waiting of [...this.#queue]) {
      if (this.#inside >= this.#most) return;
      const { lane, care, admit } = waiting;
      const next = lane === null || !this.#heeding ? now : lane.next(now, care);
      if (next > now || (lane !== null && held.has(lane))) {
        held.add(lane);
        if (next > now) this.#wake(next, now);
        continue;
      }
      try {
        if (admit !== undefined && (isFull || !admit())) {
          isFull = true;
          continue;
        }
      } catch (error) {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        waiting.fail(error);
        continue;
      }
      if (lane !== null) {
        if (this.#spacingMs > 0) lane.spacedUntil = now + this.#spacingMs;
        lane.inFlight += 1;
        lane.isAlone = care === 'alone';
      }
      this.#queue.splice(this.#queue.indexOf(waiting), 1);
      this.#inside += 1;
      waiting.enter();
    }
  }

  #wake(at: number, now: number): void {
    if (at >= this.#wakeAt) return;
    this.#callOff();
    this.#wakeAt = at;
    this.#callOff = this.#timer.after(at - now, () => {
      this.#wakeAt = Number.POSITIVE_INFINITY;
      this.#pump();
    });
  }
}
