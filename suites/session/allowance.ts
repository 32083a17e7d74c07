/** A number of things that a run may make of a deployment. What a call may make is set aside before it is sent, and settled by its answer. */
export class Allowance {
  readonly most: number;
  #made = 0;
  #setAside = 0;
  #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.most = most;
  }

  /** What is left, if nothing that is set aside is made. */
  get left(): number {
    return this.most - this.#made;
  }

  /** What is left for certain. */
  get free(): number {
    return this.left - this.#setAside;
  }

  /**
   * Sets some aside. Waits for calls under way, most of which make nothing; false where fewer are left whatever comes of those. Whatever `allowed` throws,
   * before and after each wait, ends it.
   */
  async reserve(count: number, allowed: () => void): Promise<boolean> {
    for (;;) {
      allowed();
      if (count > this.left) return false;
      if (count <= this.free) break;
      await this.settled();
    }
    this.#setAside += count;
    return true;
  }

  /** Says what became of some that were set aside. */
  settle(setAside: number, made: number): void {
    this.#setAside -= setAside;
    this.#made += made;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  /** Resolves when something is settled next. */
  settled(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
