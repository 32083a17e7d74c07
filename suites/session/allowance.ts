import { Unanswered } from './call.ts';

/** A request that waits for room. */
interface WaitingReservation {
  readonly wanted: (left: number, free: number) => number | 'wait';
  readonly rank: number;
  readonly resolve: (setAside: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Limits how many things a run creates at a deployment. Each request reserves what it may create, and its response
 * settles the reservation. Requests reserve in order of arrival, so small reservations do not starve a large one.
 */
export class Allowance {
  readonly most: number;
  readonly #signal: AbortSignal | undefined;
  #made = 0;
  #setAside = 0;
  readonly #waiting: WaitingReservation[] = [];
  #waking = false;

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
   * `made` returns how many things may have been created. Reservations with a lower `rank` go first.
   */
  async using<T>(
    wanted: (left: number, free: number) => number | 'wait',
    use: (setAside: number) => Promise<T>,
    made: () => number,
    rank = 0,
  ): Promise<T> {
    const setAside = await this.#reserve(wanted, rank);
    try {
      return await use(setAside);
    } finally {
      // `made` may wake others, who must not take the room of this reservation before its cost is counted.
      const cost = made();
      this.#setAside -= setAside;
      this.#made += cost;
      this.wake();
    }
  }

  /** Makes waiting requests check again, one after another, so that small reservations do not starve a large one. */
  wake(): void {
    // A request that checks again can stop the run, which wakes all others.
    if (this.#waking) return;
    this.#waking = true;
    for (;;) {
      const [next] = this.#waiting.sort((a, b) => a.rank - b.rank);
      if (next === undefined || !this.#tryToReserve(next)) break;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
    }
    this.#waking = false;
  }

  #reserve(wanted: WaitingReservation['wanted'], rank: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ wanted, rank, resolve, reject });
      this.wake();
    });
  }

  /** Returns false if the request must wait. */
  #tryToReserve({ wanted, resolve, reject }: WaitingReservation): boolean {
    try {
      if (this.#signal?.aborted) throw new Unanswered('the run was interrupted');
      const count = wanted(this.left, this.free);
      // Without an open reservation, nothing would end this wait.
      if (count === 'wait' && this.#setAside === 0)
        throw new Error('a reservation waits although nothing is set aside');
      if (count === 'wait') return false;
      this.#setAside += count;
      resolve(count);
    } catch (error) {
      reject(error);
    }
    return true;
  }
}
