import type { Exchange } from '../../history/exchange.ts';

const minuteMs = 60_000;
const mostRemembered = 5000;

/** How often something was served in a minute. */
export class Rate {
  #times: { readonly real: number; readonly moved: number }[] = [];
  /** The most in any minute, by the deployment's clock. */
  most = 0;

  add(exchange: Exchange): void {
    this.#times.push({ real: exchange.receivedAt, moved: exchange.clockMoved });
    if (this.#times.length > mostRemembered) this.#times = this.#times.slice(mostRemembered / 2);
    this.most = Math.max(this.most, this.inMinute(exchange, true));
  }

  /** How often in the minute before; by the deployment's clock, or by the time that really passed. */
  inMinute({ receivedAt, clockMoved }: Exchange, byClock: boolean): number {
    const now = receivedAt + (byClock ? clockMoved : 0);
    let count = 0;
    for (let index = this.#times.length - 1; index >= 0; index -= 1) {
      const time = this.#times[index];
      if (time === undefined || now - time.real - (byClock ? time.moved : 0) > minuteMs) break;
      count += 1;
    }
    return count;
  }
}
