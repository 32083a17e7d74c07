/** Time for which the balance must stay constant, as a multiple of the duration of the change. */
export const quietTimes = 3;

interface Change<Evidence> {
  readonly evidence: Evidence;
  readonly tookMs: number;
  readonly endedMs: number;
}

/**
 * Checks whether a changed balance then stays constant for `quietTimes` as long as the change took. Only then does the
 * change count. Otherwise another client may have spent.
 */
export class QuietControl<Evidence> {
  #last: Change<Evidence> | undefined;

  /** Records a change while the run sent something that must not spend. */
  changed(evidence: Evidence, tookMs: number, endedMs: number): void {
    this.#last = { evidence, tookMs, endedMs };
  }

  /** Records a change that another client may have caused. */
  interrupted(): void {
    this.#last = undefined;
  }

  /** Records an unchanged balance. Returns the change that counts from now on; otherwise undefined. */
  stayed(atMs: number): Evidence | undefined {
    if (this.#last === undefined || atMs - this.#last.endedMs < quietTimes * this.#last.tookMs) return undefined;
    const { evidence } = this.#last;
    this.#last = undefined;
    return evidence;
  }
}
