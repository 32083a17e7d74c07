/**
 * A number of things that a run may make of a deployment. What a request may make is set aside before it is sent, and
 * settled by its response. First come, first served: whoever needs much is not passed over by all who need little.
 */
export class Allowance {
  readonly most: number;
  #made = 0;
  #setAside = 0;
  #waiting: (() => void)[] = [];
  #last: Promise<void> = Promise.resolve();

  constructor(most: number) {
    this.most = most;
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
   * Sets some aside: what `wanted` says, of how much is left and how much of that is free; asked again whenever
   * something is settled, as long as it says `'wait'`. Whatever it throws ends it. Returns how much was set aside.
   */
  async reserve(wanted: (left: number, free: number) => number | 'wait'): Promise<number> {
    const before = this.#last;
    let next: () => void = () => undefined;
    this.#last = new Promise((resolve) => {
      next = resolve;
    });
    await before;
    try {
      for (;;) {
        const count = wanted(this.left, this.free);
        if (count !== 'wait') {
          this.#setAside += count;
          return count;
        }
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
    } finally {
      next();
    }
  }

  /** Says what became of some that were set aside. */
  settle(setAside: number, made: number): void {
    this.#setAside -= setAside;
    this.#made += made;
    this.wake();
  }

  /** Lets whoever waits look again. */
  wake(): void {
    for (const resume of this.#waiting.splice(0)) resume();
  }
}
