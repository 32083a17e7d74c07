import { Unanswered } from './call.ts';

/**
 * A number of things that a run may make of a deployment. What a request may make is set aside before it is sent, and
 * settled by its response. First come, first served: whoever needs much is not passed over by all who need little.
 */
export class Allowance {
  readonly most: number;
  readonly #signal: AbortSignal | undefined;
  #made = 0;
  #setAside = 0;
  #waiting: (() => void)[] = [];
  #last: Promise<void> = Promise.resolve();

  /** @param signal aborts when the run ends, and ends every wait */
  constructor(most: number, signal?: AbortSignal) {
    this.most = most;
    this.#signal = signal;
    signal?.addEventListener('abort', () => this.wake(), { once: true });
  }

  /** What is left, if nothing that is set aside is made. */
  get left(): number {
    return Math.max(0, this.most - this.#made);
  }

  /** What is left for certain. */
  get free(): number {
    return this.left - this.#setAside;
  }

  /** What was made at worst: everything that is set aside included. */
  get atWorst(): number {
    return this.#made + this.#setAside;
  }

  /**
   * Sets some aside while `use` runs, and settles them when it ends, however that is: the only way to take any.
   *
   * `wanted` returns how many, given what is left and how much of that is free. While it returns `'wait'`, it is called
   * again after each settlement. An error that it throws ends the wait, as the end of the run does. `made` returns how
   * many were made at worst.
   */
  async using<T>(
    wanted: (left: number, free: number) => number | 'wait',
    use: (setAside: number) => Promise<T>,
    made: () => number,
  ): Promise<T> {
    const setAside = await this.#setSomeAside(wanted);
    try {
      return await use(setAside);
    } finally {
      this.#setAside -= setAside;
      this.#made += made();
      this.wake();
    }
  }

  /** Lets the first in the queue look again. */
  wake(): void {
    for (const resume of this.#waiting.splice(0)) resume();
  }

  async #setSomeAside(wanted: (left: number, free: number) => number | 'wait'): Promise<number> {
    const before = this.#last;
    const turn = Promise.withResolvers<void>();
    this.#last = turn.promise;
    await before;
    try {
      for (;;) {
        if (this.#signal?.aborted) throw new Unanswered('the run was interrupted');
        const count = wanted(this.left, this.free);
        if (count !== 'wait') {
          this.#setAside += count;
          return count;
        }
        // Without anything set aside, nothing would ever end this wait.
        if (this.#setAside === 0) throw new Error('a reservation waits although nothing is set aside');
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
    } finally {
      turn.resolve();
    }
  }
}
