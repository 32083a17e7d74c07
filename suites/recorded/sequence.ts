import type { Exchange } from '../history/exchange.ts';
import type { Judge } from '../rules/judge.ts';

/** Characters of exchanges that wait until no earlier one can come. */
const mostWaiting = 8 * 1024 * 1024;

/** What an exchange takes beside its texts. */
const ownWeight = 1000;

/** Exchanges that got no response yet; where more are, the oldest of them will not get one. */
const mostBegun = 10_000;

/** Tells a judge of exchanges in the order of time, in whatever order they come, as far as they fit into memory. */
export class Sequence {
  readonly #judge: Pick<Judge, 'begin' | 'see'>;
  #waiting: Exchange[] = [];
  #begun: Exchange[] = [];
  #weight = 0;
  #reached = Number.NEGATIVE_INFINITY;
  #late = 0;

  constructor(judge: Pick<Judge, 'begin' | 'see'>) {
    this.#judge = judge;
  }

  /** Exchanges that came too late to be judged in their place, and were left out. */
  get late(): number {
    return this.#late;
  }

  add(exchange: Exchange): void {
    if (exchange.sentAt < this.#reached) {
      this.#late += 1;
      return;
    }
    this.#waiting.push(exchange);
    this.#weight += weightOf(exchange);
    if (this.#weight <= mostWaiting) return;
    const moments = this.#waiting.map(({ sentAt }) => sentAt).sort((a, b) => a - b);
    this.tell(moments[moments.length >> 1] ?? Number.POSITIVE_INFINITY);
  }

  /** Tells of everything up to a moment: no exchange that was sent before it comes any more. */
  tell(moment: number): void {
    const now = this.#waiting.filter(({ sentAt }) => sentAt <= moment).sort((a, b) => a.sentAt - b.sentAt);
    if (now.length > 0) this.#waiting = this.#waiting.filter(({ sentAt }) => sentAt > moment);
    for (const exchange of now) {
      this.#weight -= weightOf(exchange);
      this.#see(exchange.sentAt);
      this.#judge.begin(exchange);
      this.#begun.push(exchange);
    }
    this.#reached = Math.max(this.#reached, moment);
    this.#see(moment);
    for (const exchange of this.#begun.splice(0, this.#begun.length - mostBegun)) this.#judge.see(exchange);
  }

  end(): void {
    this.tell(Number.MAX_VALUE);
    for (const exchange of this.#begun.splice(0)) this.#judge.see(exchange);
  }

  /** Tells of the responses that were received by then. */
  #see(moment: number): void {
    if (!this.#begun.some(({ receivedAt }) => receivedAt <= moment)) return;
    const over = this.#begun.filter(({ receivedAt }) => receivedAt <= moment);
    this.#begun = this.#begun.filter(({ receivedAt }) => receivedAt > moment);
    for (const exchange of over.sort((a, b) => a.receivedAt - b.receivedAt)) this.#judge.see(exchange);
  }
}

function weightOf({ request, response }: Exchange): number {
  return ownWeight + (request.body?.length ?? 0) + 3 * (response?.text.length ?? 0);
}
