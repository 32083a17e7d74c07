import { type Cap, LearnedCap } from './learned-cap.ts';
import type { Timer } from './timer.ts';

export type Delays = Pick<Timer, 'now' | 'after'>;

interface Waiting {
  lane: string | null;
  /** Requests with a lower rank go first. */
  rank: number;
  /** Whether no other request of the lane may be in flight. */
  alone: boolean;
  enter: () => void;
}

/**
 * Admits requests: at most `concurrency` at once, and each lane (a key) within its rate and learned rate limit.
 * Requests of one rank are admitted in order of arrival. A lane that must wait does not block other lanes.
 */
export class Gate {
  readonly #concurrency: number;
  #spacingMs: number;
  readonly #timer: Delays;
  readonly #queue: Waiting[] = [];
  readonly #caps = new Map<string, LearnedCap>();
  readonly #spaced = new Map<string, number>();
  /** Lanes of which a request is in flight that goes alone. */
  readonly #alone = new Set<string>();
  #heeding = true;
  #pausedUntil = 0;
  /** Most requests that may be in flight at present. */
  #most: number;
  #inside = 0;
  #wakeAt = Number.POSITIVE_INFINITY;
  #callOff: () => void = () => undefined;

  constructor(concurrency: number, requestsPerMinute: number | undefined, timer: Delays) {
    this.#concurrency = concurrency;
    this.#most = concurrency;
    this.#spacingMs = requestsPerMinute === undefined ? 0 : 60_000 / requestsPerMinute;
    this.#timer = timer;
  }

  /**
   * Resolves when a request of this lane may be sent. Each call must be followed by one `leave` of the same lane.
   * Requests without a lane ignore rates and rate limits. A request that goes `alone` reaches an unknown rate limit
   * only if it is the first to exceed it.
   */
  enter(lane: string | null, rank = 0, alone = false): Promise<void> {
    return new Promise((enter) => {
      this.#queue.push({ lane, rank, alone, enter });
      this.#pump();
    });
  }

  /**
   * Records the end of a request. With `refusedForSeconds`, the lane must wait. Without it, the request was served or
   * may have been.
   */
  leave(lane: string | null, refusedForSeconds?: number): void {
    this.#inside -= 1;
    if (lane !== null) {
      this.#alone.delete(lane);
      this.#note(lane, refusedForSeconds);
    }
    this.#pump();
  }

  /** Pauses all lanes for `seconds`, then admits one request at a time until `resume`. */
  pause(seconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#timer.now() + seconds * 1000);
    this.#most = 1;
  }

  /** Restores the configured concurrency. */
  resume(): void {
    this.#most = this.#concurrency;
  }

  /** Counts a request that bypassed the gate towards the rate limit of its lane. */
  passed(lane: string): void {
    this.#capOf(lane).sent();
    this.#note(lane, undefined);
  }

  /** Returns the rate limit that a lane has shown; undefined if it is unknown. */
  capOf(lane: string): Cap | undefined {
    return this.#caps.get(lane)?.known;
  }

  /** Discards the times of requests, because the deployment's clock was advanced. */
  forgetPauses(): void {
    this.#callOff();
    this.#wakeAt = Number.POSITIVE_INFINITY;
    this.#spaced.clear();
    for (const cap of this.#caps.values()) cap.forgetTimes();
    this.#pump();
  }

  /** Limits only concurrency from now on. The requests that wait here were cancelled. */
  open(): void {
    this.#spacingMs = 0;
    this.#heeding = false;
    this.resume();
    this.forgetPauses();
  }

  #note(lane: string, refusedForSeconds: number | undefined): void {
    const now = this.#timer.now();
    if (refusedForSeconds === undefined) this.#capOf(lane).served(now);
    else this.#capOf(lane).refused(now, refusedForSeconds);
  }

  #capOf(lane: string): LearnedCap {
    const known = this.#caps.get(lane);
    if (known !== undefined) return known;
    const cap = new LearnedCap();
    this.#caps.set(lane, cap);
    return cap;
  }

  /** Returns when a request of this lane may be sent; infinity if that depends on a pending response. */
  #next(lane: string, now: number): number {
    if (!this.#heeding) return now;
    const next = this.#capOf(lane).next(now);
    return next === 'after a response' ? Number.POSITIVE_INFINITY : Math.max(next, this.#spaced.get(lane) ?? 0);
  }

  #pump(): void {
    const now = this.#timer.now();
    if (this.#heeding && now < this.#pausedUntil) {
      this.#wake(this.#pausedUntil, now);
      return;
    }
    this.#queue.sort((a, b) => a.rank - b.rank);
    // If a request must wait, all later requests of its lane must wait too.
    const held = new Set<string>();
    for (let index = 0; index < this.#queue.length && this.#inside < this.#most; ) {
      const waiting = this.#queue[index];
      if (waiting === undefined) return;
      const { lane } = waiting;
      if (lane !== null) {
        const mustWait = held.has(lane) || this.#alone.has(lane) || (waiting.alone && this.#capOf(lane).underWay > 0);
        const next = mustWait ? Number.POSITIVE_INFINITY : this.#next(lane, now);
        if (next > now) {
          held.add(lane);
          this.#wake(next, now);
          index += 1;
          continue;
        }
        if (this.#spacingMs > 0) this.#spaced.set(lane, now + this.#spacingMs);
        this.#capOf(lane).sent();
        if (waiting.alone) this.#alone.add(lane);
      }
      this.#queue.splice(index, 1);
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
