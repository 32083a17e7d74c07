import type { RunEvent } from '../result.ts';
import type { Target } from '../target.ts';
import { Unanswered } from './call.ts';
import type { Timer } from './timer.ts';

/** How often a run looks whether its time is over. */
const watchMs = 250;

/** The longest time that a timer of Node.js takes. */
const longestTimerMs = 2 ** 31 - 1;

/** Rejects when the signal aborts: a clock need not heed it. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(signal.reason);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

/**
 * The time of a run and of the deployment under test: how long the run has taken, what it waited, and how far it moved
 * the clock.
 */
export class RunTime {
  /** When the deployment's clock was moved, in milliseconds since the start of the run. */
  readonly movedAtMs: number[] = [];
  /** How far the deployment's clock was moved, in milliseconds. */
  movedMs = 0;
  /** How much of the run's time is left, in milliseconds. */
  leftMs: () => number = () => Number.POSITIVE_INFINITY;
  readonly #timer: Timer;
  readonly #clock: Target['clock'];
  readonly #signal: AbortSignal;
  readonly #onEvent: (event: RunEvent) => void;
  readonly #startedAt: number;
  #waitEndsAt = 0;
  /** Waits for the deployment's time to pass that are over, in milliseconds; those that overlap count once. */
  #waitedMs = 0;
  #waits = 0;
  #waitingSince = 0;
  /** An advance that lasts has no end yet. */
  readonly #advances: { fromMs: number; toMs?: number }[] = [];

  constructor(timer: Timer, clock: Target['clock'], signal: AbortSignal, onEvent: (event: RunEvent) => void) {
    this.#timer = timer;
    this.#clock = clock;
    this.#signal = signal;
    this.#onEvent = onEvent;
    this.#startedAt = timer.now();
  }

  /** Milliseconds since the start of the run. */
  elapsedMs(): number {
    return this.#timer.now() - this.#startedAt;
  }

  /** When the kit asked the deployment's clock to advance and when that ended, in milliseconds since the start. */
  get advances(): readonly (readonly [fromMs: number, toMs: number])[] {
    return this.#advances.map(({ fromMs, toMs = this.elapsedMs() }) => [fromMs, toMs]);
  }

  /** What was waited for the deployment's time to pass, in milliseconds. */
  get waitedMs(): number {
    return this.#waitedMs + (this.#waits === 0 ? 0 : this.elapsedMs() - this.#waitingSince);
  }

  /** Calls `check` every now and then, also while nothing is sent; returns what ends this. */
  watch(check: () => void): () => void {
    return this.#timer.every(watchMs, check);
  }

  /** Waits real time; rejects when the run is interrupted. */
  async wait(seconds: number, reason: string): Promise<void> {
    this.#onEvent({ kind: 'waiting', reason, seconds });
    if (this.#waits === 0) this.#waitingSince = this.elapsedMs();
    this.#waits += 1;
    try {
      await this.#delay(seconds);
    } finally {
      this.#waits -= 1;
      if (this.#waits === 0) this.#waitedMs += this.elapsedMs() - this.#waitingSince;
    }
  }

  async #delay(seconds: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const stop = () => {
        callOff();
        reject(new Unanswered('the run was interrupted'));
      };
      const callOff = this.#timer.after(seconds * 1000, () => {
        this.#signal.removeEventListener('abort', stop);
        resolve();
      });
      if (this.#signal.aborted) stop();
      else this.#signal.addEventListener('abort', stop, { once: true });
    });
  }

  /** Tells of a wait of calls. Many meet the same limit at once; one line tells it. */
  tellWait(reason: string, seconds: number): void {
    const endsAt = this.elapsedMs() + seconds * 1000;
    if (endsAt <= this.#waitEndsAt + 100) return;
    this.#waitEndsAt = endsAt;
    this.#onEvent({ kind: 'waiting', reason, seconds });
  }

  /** Moves the deployment's clock. Throws `Unanswered` where that did not work. */
  async advance(seconds: number): Promise<void> {
    const span: { fromMs: number; toMs?: number } = { fromMs: this.elapsedMs() };
    this.#advances.push(span);
    // A timer may fire a fraction early.
    const limitMs = Math.ceil(Math.max(0, this.leftMs())) + 1;
    const over = new AbortController();
    // Cleared below: what is left of `AbortSignal.timeout` keeps a process of Deno alive until it fires.
    const timeout = setTimeout(
      () => over.abort(new DOMException('the time of the run is over', 'TimeoutError')),
      Math.min(limitMs, longestTimerMs),
    );
    const stop = AbortSignal.any([this.#signal, over.signal]);
    try {
      await Promise.race([this.#clock?.advance(seconds, stop), aborted(stop)]);
    } catch (error) {
      throw new Unanswered(`the clock could not be moved: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      clearTimeout(timeout);
      span.toMs = this.elapsedMs();
    }
    this.movedAtMs.push(this.elapsedMs());
    this.movedMs += seconds * 1000;
  }
}
