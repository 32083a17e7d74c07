import type { Exchange } from '../exchange/exchange.ts';
import type { Judge } from '../model/judge/judge.ts';

/** Maximum number of characters in exchanges that wait for earlier ones, or for the time of their response. */
const mostWaiting = 8 * 1024 * 1024;

/** Weight of an exchange in addition to its texts. */
const ownWeight = 1000;

/** Maximum number of exchanges without a response. If there are more, the oldest ones count as unanswered. */
const mostBegun = 10_000;

/**
 * Passes exchanges to judges in chronological order, whatever their order of arrival, as far as they fit into memory.
 */
export class Sequence {
  readonly #judges: readonly Pick<Judge, 'begin' | 'see'>[];
  #waiting: Exchange[] = [];
  #begun: Exchange[] = [];
  #weight = 0;
  #reached = Number.NEGATIVE_INFINITY;
  /** Number of exchanges that arrived too late to be judged in order, and were left out. */
  late = 0;

  constructor(judges: readonly Pick<Judge, 'begin' | 'see'>[]) {
    this.#judges = judges;
  }

  add(exchange: Exchange): void {
    if (exchange.sentAt < this.#reached) {
      this.late += 1;
      return;
    }
    this.#waiting.push(exchange);
    this.#weight += weightOf(exchange);
    if (this.#weight <= mostWaiting) return;
    const moments = [...this.#waiting.map(({ sentAt }) => sentAt), ...this.#begun.map(({ receivedAt }) => receivedAt)];
    moments.sort((a, b) => a - b);
    this.tell(moments[moments.length >> 1] ?? Number.POSITIVE_INFINITY);
  }

  /** Passes on everything up to a moment. All requests sent before it must have been added. */
  tell(moment: number): void {
    const now = this.#waiting.filter(({ sentAt }) => sentAt <= moment).sort((a, b) => a.sentAt - b.sentAt);
    if (now.length > 0) this.#waiting = this.#waiting.filter(({ sentAt }) => sentAt > moment);
    for (const exchange of now) {
      this.#see(exchange.sentAt);
      for (const judge of this.#judges) judge.begin(exchange);
      this.#begun.push(exchange);
    }
    this.#reached = Math.max(this.#reached, moment);
    this.#see(moment);
    for (const exchange of this.#begun.splice(0, this.#begun.length - mostBegun)) this.#over(exchange);
  }

  end(): void {
    this.tell(Number.MAX_VALUE);
    for (const exchange of this.#begun.splice(0)) this.#over(exchange);
  }

  /** Passes on the responses that were received up to a moment. */
  #see(moment: number): void {
    if (!this.#begun.some(({ receivedAt }) => receivedAt <= moment)) return;
    const over = this.#begun.filter(({ receivedAt }) => receivedAt <= moment);
    this.#begun = this.#begun.filter(({ receivedAt }) => receivedAt > moment);
    for (const exchange of over.sort((a, b) => a.receivedAt - b.receivedAt)) this.#over(exchange);
  }

  #over(exchange: Exchange): void {
    this.#weight -= weightOf(exchange);
    for (const judge of this.#judges) judge.see(exchange);
  }
}

function weightOf({ request, response }: Exchange): number {
  return ownWeight + (request.body?.length ?? 0) + 3 * (response?.text.length ?? 0);
}
