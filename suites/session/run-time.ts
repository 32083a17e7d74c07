import type { RunEvent } from '../result.ts';
import type { Pace, Target } from '../target/target.ts';
import type { Counted } from './budget.ts';
import { Unanswered } from './call.ts';

/** Rate that a key has shown: `calls` requests in `windowMs` milliseconds. */
export interface Rate {
  calls: number;
  windowMs: number;
}

/** Interval at which a run checks whether its time is over. */
const watchMs = 250;

/** Time of a run and of the deployment: the duration, the waits, and the advances of the clock. */
export class RunTime {
  /** Sum of all advances of the deployment's clock, in milliseconds. */
  movedMs = 0;
  /** Called after the clock was advanced. */
  readonly onAdvanced: ((seconds: number) => void)[] = [];
  readonly #timer: Timer;
  readonly #clock: Target['clock'];
  readonly #signal: AbortSignal;
  readonly #interrupted: Promise<never>;
  readonly #onEvent: (event: RunEvent) => void;
  readonly #startedAt: number;
  #limit: { readonly secondsOf: () => number; readonly end: () => void } | undefined;
  #watch: NodeJS.Timeout | undefined;
  #waitEndsAt = 0;
  /** Waits for the deployment's time to pass: those under way, since when, and the sum of those before. */
  #waits = { open: 0, sinceMs: 0, totalMs: 0 };

  constructor(timer: Timer, clock: Target['clock'], signal: AbortSignal, onEvent: (event: RunEvent) => void) {
    this.#timer = timer;
    this.#clock = clock;
    this.#signal = signal;
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined);
    this.#interrupted = promise;
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    this.#onEvent = onEvent;
    this.#startedAt = timer.now();
  }

  /** Milliseconds since the start of the run. */
  elapsedMs(): number {
    return this.#timer.now() - this.#startedAt;
  }

  /** The deployment's time, in milliseconds since the start of the run. */
  get deploymentMs(): number {
    return this.elapsedMs() + this.movedMs;
  }

  /** Total wait for the deployment's time to pass, in milliseconds. */
  get waitedMs(): number {
    const { open, sinceMs, totalMs } = this.#waits;
    return totalMs + (open === 0 ? 0 : this.elapsedMs() - sinceMs);
  }

  /** Runs `action` after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, action: () => void): () => void {
    return this.#timer.after(ms, action);
  }

  /** Calls `end` when the run has taken so many seconds. Waits for the deployment's time to pass do not count. */
  limit(secondsOf: () => number, end: () => void): void {
    this.#limit = { secondsOf, end };
    // While all requests wait, no request triggers the check, so a timer does, without keeping the process alive.
    this.#watch = setInterval(() => this.check(), watchMs).unref();
  }

  /** Ends the run if its time is over. */
  check(): void {
    if (this.#limit === undefined) return;
    const { secondsOf, end } = this.#limit;
    if (this.elapsedMs() - this.waitedMs < secondsOf() * 1000) return;
    this.stop();
    end();
  }

  /** Ends the limit of the run. */
  stop(): void {
    clearInterval(this.#watch);
    this.#limit = undefined;
  }

  /** Lets the deployment's time pass: by its clock, or in real time if the kit cannot advance the clock. */
  async pass(ms: number, reason: string): Promise<void> {
    await (this.#clock === undefined ? this.wait(ms / 1000, reason) : this.advance(Math.ceil(ms / 1000)));
  }

  /** Waits in real time. Rejects if the run is interrupted. */
  async wait(seconds: number, reason: string): Promise<void> {
    this.#onEvent({ kind: 'waiting', reason, seconds });
    if (this.#waits.open === 0) this.#waits.sinceMs = this.elapsedMs();
    this.#waits.open += 1;
    const over = Promise.withResolvers<void>();
    const callOff = this.#timer.after(seconds * 1000, over.resolve);
    try {
      await Promise.race([over.promise, this.#interrupted]);
    } catch {
      throw new Unanswered('the run was interrupted');
    } finally {
      callOff();
      this.#waits.totalMs = this.waitedMs;
      this.#waits.sinceMs = this.elapsedMs();
      this.#waits.open -= 1;
    }
  }

  /**
   * Reports that requests wait. Many requests reach a limit at once, so a wait that ends no later than a reported one
   * is omitted.
   */
  tellWait(reason: string, seconds: number): void {
    const endsAt = this.elapsedMs() + seconds * 1000;
    if (endsAt <= this.#waitEndsAt + 100) return;
    this.#waitEndsAt = endsAt;
    this.#onEvent({ kind: 'waiting', reason, seconds });
  }

  /** Advances the deployment's clock. Throws `Unanswered` if that fails. */
  async advance(seconds: number): Promise<void> {
    try {
      // A clock may ignore the signal.
      await Promise.race([this.#clock?.advance(seconds, this.#signal), this.#interrupted]);
    } catch (error) {
      throw new Unanswered(
        `the clock could not be advanced: ${error instanceof Error ? error.message : String(error)}`,
      );
    } finally {
      this.check();
    }
    this.movedMs += seconds * 1000;
    for (const listener of this.onAdvanced) listener(seconds);
  }
}

/** Time source of the kit. Tests provide their own. */
export interface Timer {
  /** Monotonic time in milliseconds. */
  now(): number;
  /** Runs `action` after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, action: () => void): () => void;
}

export const realTimer: Timer = {
  now: () => performance.now(),
  after(ms, action) {
    const timeout = setTimeout(action, ms);
    return () => clearTimeout(timeout);
  },
};

/** Shortest default limit of a run, in seconds. */
const leastSeconds = 20 * 60;

/** Factor from the ceiling of a run to twice its planned requests. The ceiling is one and a half times the plan. */
const ofCeiling = 2 / 1.5;

/**
 * Returns the default limit of a run in seconds, at least 20 minutes. The key that takes longest decides: the limit is
 * the time for twice its planned requests at its rate.
 */
export function defaultLimit(
  mostRequests: ReadonlyMap<Counted, number>,
  rateOf: (key: Counted) => Rate | undefined,
): number {
  const needed = [...mostRequests].map(([key, most]) => {
    const rate = rateOf(key);
    return rate === undefined ? 0 : (most * ofCeiling * rate.windowMs) / (rate.calls * 1000);
  });
  return Math.ceil(Math.max(leastSeconds, ...needed));
}

/** Returns the rate that the configuration sets for every key; undefined if it sets none. */
export function rateOfPace({ requestsPerMinute }: Pick<Pace, 'requestsPerMinute'>): Rate | undefined {
  return requestsPerMinute === undefined ? undefined : { calls: requestsPerMinute, windowMs: 60_000 };
}
