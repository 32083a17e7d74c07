import { Unanswered } from './call.ts';

/**
 * Limits how many things a run creates at a deployment. Each request reserves what it may create, and its response
 * settles the reservation. Requests reserve in order of arrival, so small reservations do not starve a large one.
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

  /** Things left to create if no open reservation is used. */
  get left(): number {
    return Math.max(0, this.most - this.#made);
  }

  /** Things left to create if every open reservation is used. */
  get free(): number {
    return this.left - this.#setAside;
  }

  /** Things that the run may have created, including all open reservations. */
  get atWorst(): number {
    return this.#made + this.#setAside;
  }

  /**
   * Reserves an amount while `use` runs, and settles the reservation when `use` returns or throws.
   *
   * `wanted` returns the amount, given what remains and how much of that is unreserved. While it returns `'wait'`, it
   * is called again after each settlement. An error that it throws ends the wait, and so does the end of the run.
   * `made` returns how many things may have been created.
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

  /** Makes waiting requests check again. */
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
        // Without an open reservation, nothing would end this wait.
        if (this.#setAside === 0) throw new Error('a reservation waits although nothing is set aside');
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
    } finally {
      turn.resolve();
    }
  }
}
