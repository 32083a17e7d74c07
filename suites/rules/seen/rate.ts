import type { Exchange } from '../../history/exchange.ts';

const minuteMs = 60_000;
const mostRemembered = 5000;

/** What is this old in real time is in no minute any more that is asked for. */
const oldMs = 2 * minuteMs;

/** How often something was served in a minute. */
export class Rate {
  #times: { readonly real: number; readonly moved: number }[] = [];
  /** The most in any minute, by the deployment's clock. */
  most = 0;

  add(exchange: Exchange): void {
    this.#times.push({ real: exchange.receivedAt, moved: exchange.clockMoved });
    const half = this.#times.length >> 1;
    const isOld = exchange.receivedAt - (this.#times[half]?.real ?? 0) > oldMs;
    if (isOld || this.#times.length > 2 * mostRemembered) this.#times = this.#times.slice(half);
    this.most = Math.max(this.most, this.inMinute(exchange, true));
  }

  /** How often in the minute before; by the deployment's clock, or by the time that really passed. */
  inMinute({ receivedAt, clockMoved }: Exchange, byClock: boolean): number {
    const now = receivedAt + (byClock ? clockMoved : 0);
    const isBefore = (index: number): boolean => {
      const time = this.#times[index];
      return time === undefined || now - time.real - (byClock ? time.moved : 0) > minuteMs;
    };
    // They are in order: half of what is left is looked at each time.
    let [low, high] = [0, this.#times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(middle)) low = middle + 1;
      else high = middle;
    }
    // As many as are surely remembered: what was forgotten is not taken for what was not there.
    return Math.min(this.#times.length - low, mostRemembered);
  }
}
