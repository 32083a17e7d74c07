import type { Timer } from './timer.ts';

interface Waiting {
  lane: string;
  enter: () => void;
}

/**
 * Lets calls out: no more at once than `concurrency`, those of one lane (a key) no faster than its rate, and none of a
 * lane that is paused. First come, first served, except that a paused lane holds up nobody else.
 */
export class Gate {
  readonly #concurrency: number;
  #spacingMs: number;
  readonly #timer: Timer;
  readonly #queue: Waiting[] = [];
  readonly #notBefore = new Map<string, number>();
  #inside = 0;
  #wakeAt = Number.POSITIVE_INFINITY;
  #callOff: () => void = () => undefined;

  constructor(concurrency: number, requestsPerMinute: number | undefined, timer: Timer) {
    this.#concurrency = concurrency;
    this.#spacingMs = requestsPerMinute === undefined ? 0 : 60_000 / requestsPerMinute;
    this.#timer = timer;
  }

  /** Resolves when a call of this lane may be sent; each must be followed by one `leave`. `first` goes before the queue. */
  enter(lane: string, first = false): Promise<void> {
    return new Promise((resolve) => {
      if (first) this.#queue.unshift({ lane, enter: resolve });
      else this.#queue.push({ lane, enter: resolve });
      this.#pump();
    });
  }

  leave(): void {
    this.#inside -= 1;
    this.#pump();
  }

  /** Holds a lane back; a pause that ends earlier than one already set changes nothing. */
  pause(lane: string, ms: number): void {
    const until = this.#timer.now() + ms;
    this.#notBefore.set(lane, Math.max(until, this.#notBefore.get(lane) ?? 0));
  }

  /** Forgets every pause, after the deployment's clock has been moved. */
  forgetPauses(): void {
    this.#callOff();
    this.#wakeAt = Number.POSITIVE_INFINITY;
    this.#notBefore.clear();
    this.#pump();
  }

  /** Holds nobody back any more but by concurrency: what waits here has been called off. */
  open(): void {
    this.#spacingMs = 0;
    this.forgetPauses();
  }

  #pump(): void {
    const now = this.#timer.now();
    for (let index = 0; index < this.#queue.length && this.#inside < this.#concurrency; ) {
      const waiting = this.#queue[index];
      if (waiting === undefined) return;
      const notBefore = this.#notBefore.get(waiting.lane) ?? 0;
      if (notBefore > now) {
        this.#wake(notBefore, now);
        index += 1;
        continue;
      }
      this.#queue.splice(index, 1);
      if (this.#spacingMs > 0) this.#notBefore.set(waiting.lane, now + this.#spacingMs);
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
