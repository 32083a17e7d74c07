import { type Cap, LearnedCap } from './learned-cap.ts';
import type { Timer } from './timer.ts';

/** What the gate needs of a timer. */
export type Delays = Pick<Timer, 'now' | 'after'>;

interface Waiting {
  lane: string | null;
  /** Calls of lower rank go first. */
  rank: number;
  enter: () => void;
}

/**
 * Lets calls out: no more at once than `concurrency`, those of one lane (a key) no faster than its rate and no more
 * than its cap, once seen, lets through. First come, first served within one rank, except that a lane that has to wait
 * holds up nobody else.
 */
export class Gate {
  readonly #concurrency: number;
  #spacingMs: number;
  readonly #timer: Delays;
  readonly #queue: Waiting[] = [];
  readonly #caps = new Map<string, LearnedCap>();
  readonly #spaced = new Map<string, number>();
  #heeding = true;
  #pausedUntil = 0;
  /** How many calls may be under way for now. */
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
   * Resolves when a call of this lane may be sent; each must be followed by one `leave` of the same lane. Without a
   * lane a call heeds neither rate nor cap.
   */
  enter(lane: string | null, rank = 0): Promise<void> {
    return new Promise((enter) => {
      this.#queue.push({ lane, rank, enter });
      this.#pump();
    });
  }

  /**
   * Tells how a call ended: with `refusedForSeconds` where its lane has to wait, otherwise it was served or may have
   * been.
   */
  leave(lane: string | null, refusedForSeconds?: number): void {
    this.#inside -= 1;
    if (lane !== null) this.#note(lane, refusedForSeconds);
    this.#pump();
  }

  /** Holds every lane back for so many seconds, and lets one call out at a time after that, until `resume`. */
  pause(seconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#timer.now() + seconds * 1000);
    this.#most = 1;
  }

  /** Lets as many calls out at a time as ever. */
  resume(): void {
    this.#most = this.#concurrency;
  }

  /** Counts a call that went past the gate towards its lane's cap. */
  passed(lane: string): void {
    this.#capOf(lane).sent();
    this.#note(lane, undefined);
  }

  /** The cap that a lane has shown, if any. */
  capOf(lane: string): Cap | undefined {
    return this.#caps.get(lane)?.known;
  }

  /** Forgets when calls were made, after the deployment's clock has been moved. */
  forgetPauses(): void {
    this.#callOff();
    this.#wakeAt = Number.POSITIVE_INFINITY;
    this.#spaced.clear();
    for (const cap of this.#caps.values()) cap.forgetTimes();
    this.#pump();
  }

  /** Holds nobody back any more but by concurrency: what waits here has been called off. */
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

  /** When a call of this lane may be sent; never where only an answer can tell. */
  #next(lane: string, now: number): number {
    if (!this.#heeding) return now;
    const next = this.#capOf(lane).next(now);
    return next === 'after an answer' ? Number.POSITIVE_INFINITY : Math.max(next, this.#spaced.get(lane) ?? 0);
  }

  #pump(): void {
    const now = this.#timer.now();
    if (this.#heeding && now < this.#pausedUntil) {
      this.#wake(this.#pausedUntil, now);
      return;
    }
    this.#queue.sort((a, b) => a.rank - b.rank);
    // Of one lane, whoever comes later cannot go earlier: it is looked at once, until it lets a call out.
    const held = new Set<string>();
    for (let index = 0; index < this.#queue.length && this.#inside < this.#most; ) {
      const waiting = this.#queue[index];
      if (waiting === undefined) return;
      const { lane } = waiting;
      if (lane !== null) {
        const next = held.has(lane) ? Number.POSITIVE_INFINITY : this.#next(lane, now);
        if (next > now) {
          held.add(lane);
          this.#wake(next, now);
          index += 1;
          continue;
        }
        if (this.#spacingMs > 0) this.#spaced.set(lane, now + this.#spacingMs);
        this.#capOf(lane).sent();
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
