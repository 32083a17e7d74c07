import type { RunTime } from './run-time.ts';

interface Sleeper {
  readonly atMs: number;
  readonly why: string;
  readonly wake: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * The deployment's time, shared by all stories. When every thread waits, time advances to the earliest wake-up, as in a
 * discrete-event simulation. A thread is one story, or several that run one after another.
 */
export class VirtualTime {
  readonly #time: Pick<RunTime, 'deploymentMs' | 'pass' | 'onAdvanced'>;
  readonly #beforePass: () => Promise<void>;
  #awake = 0;
  #sleepers: Sleeper[] = [];
  #passing = false;

  /** @param beforePass runs before time passes, because a difference between responses may disappear with it */
  constructor(time: Pick<RunTime, 'deploymentMs' | 'pass' | 'onAdvanced'>, beforePass: () => Promise<void>) {
    this.#time = time;
    this.#beforePass = beforePass;
    time.onAdvanced.push(() => this.#wakeDue());
  }

  get nowMs(): number {
    return this.#time.deploymentMs;
  }

  async thread<T>(work: () => Promise<T>): Promise<T> {
    this.#awake += 1;
    try {
      return await work();
    } finally {
      this.#awake -= 1;
      void this.#passIfAllWait();
    }
  }

  /**
   * Waits until the deployment's time reaches `atMs`. Rejects if time cannot pass, or outside a thread, where nothing
   * would wake the caller.
   */
  until(atMs: number, why: string): Promise<void> {
    return new Promise((resolve, fail) => {
      if (this.#awake === 0) throw new Error(`a wait outside a thread of virtual time: ${why}`);
      this.#sleepers.push({ atMs, why, wake: resolve, fail });
      this.#awake -= 1;
      void this.#passIfAllWait();
    });
  }

  /** Waits for other threads, which may wait for time to pass. Call this within a thread. */
  async waitFor(others: Promise<unknown>): Promise<void> {
    this.#awake -= 1;
    void this.#passIfAllWait();
    await others.finally(() => {
      this.#awake += 1;
    });
  }

  /** Wakes the threads whose time has come, because a rate limit of another thread was waited out. */
  #wakeDue(): void {
    this.#wake(this.nowMs, ({ wake }) => wake());
  }

  async #passIfAllWait(): Promise<void> {
    if (this.#passing) return;
    this.#passing = true;
    try {
      // Let threads start that are about to.
      await Promise.resolve();
      if (this.#allWait) await this.#beforePass();
      if (this.#allWait) await this.#pass();
    } catch (error) {
      this.#wake(Number.POSITIVE_INFINITY, ({ fail }) => fail(error));
    } finally {
      this.#passing = false;
    }
    if (this.#allWait) await this.#passIfAllWait();
  }

  get #allWait(): boolean {
    return this.#awake === 0 && this.#sleepers.length > 0;
  }

  async #pass(): Promise<void> {
    const [first] = this.#sleepers.toSorted((a, b) => a.atMs - b.atMs);
    if (first === undefined) return;
    const ms = first.atMs - this.nowMs;
    if (ms > 0) await this.#time.pass(ms, first.why);
    this.#wake(first.atMs, ({ wake }) => wake());
  }

  #wake(untilMs: number, how: (sleeper: Sleeper) => void): void {
    const due = this.#sleepers.filter(({ atMs }) => atMs <= untilMs);
    this.#sleepers = this.#sleepers.filter((sleeper) => !due.includes(sleeper));
    this.#awake += due.length;
    for (const sleeper of due) how(sleeper);
  }
}
