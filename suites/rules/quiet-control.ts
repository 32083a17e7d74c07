/** How many times as long as the change the balance must stay the same. */
export const quietTimes = 3;

/** A balance that changed. */
interface Change<Evidence> {
  readonly evidence: Evidence;
  readonly tookMs: number;
  readonly endedMs: number;
}

/**
 * Compares a changed balance with the time right after the change. The change counts only if the balance then stays
 * the same for `quietTimes` as long: otherwise another client may have spent.
 */
export class QuietControl<Evidence> {
  #last: Change<Evidence> | undefined;

  /** The balance changed while something was sent that must not spend. */
  changed(evidence: Evidence, tookMs: number, endedMs: number): void {
    this.#last = { evidence, tookMs, endedMs };
  }

  /** The balance changed, and another client may be the cause. */
  interrupted(): void {
    this.#last = undefined;
  }

  /** The balance was the same at this moment. Returns the change that counts from now on. */
  stayed(atMs: number): Evidence | undefined {
    if (this.#last === undefined || atMs - this.#last.endedMs < quietTimes * this.#last.tookMs) return undefined;
    const { evidence } = this.#last;
    this.#last = undefined;
    return evidence;
  }
}
