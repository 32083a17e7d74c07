import type { Exchange } from '../history/exchange.ts';

const minuteMs = 60_000;
const mostRemembered = 5000;

/** Age in real time after which an entry is outside every minute that a rule asks for. */
const oldMs = 2 * minuteMs;

/** Counts served requests per minute. */
export class Rate {
  #times: { readonly real: number; readonly moved: number }[] = [];
  /** Highest count in any minute, by the deployment's clock. */
  most = 0;

  add(exchange: Exchange): void {
    this.#times.push({ real: exchange.receivedAt, moved: exchange.clockMoved });
    const half = this.#times.length >> 1;
    const isOld = exchange.receivedAt - (this.#times[half]?.real ?? 0) > oldMs;
    if (isOld || this.#times.length > 2 * mostRemembered) this.#times = this.#times.slice(half);
    this.most = Math.max(this.most, this.inMinute(exchange, true));
  }

  /** Returns the count in the minute before, by the deployment's clock or in real time. */
  inMinute({ receivedAt, clockMoved }: Exchange, byClock: boolean): number {
    const now = receivedAt + (byClock ? clockMoved : 0);
    const isBefore = (index: number): boolean => {
      const time = this.#times[index];
      return time === undefined || now - time.real - (byClock ? time.moved : 0) > minuteMs;
    };
    // Binary search, because the times are sorted.
    let [low, high] = [0, this.#times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(middle)) low = middle + 1;
      else high = middle;
    }
    // Limited to the entries that are certainly complete, because older ones may have been dropped.
    return Math.min(this.#times.length - low, mostRemembered);
  }
}
