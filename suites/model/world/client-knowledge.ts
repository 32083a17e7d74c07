import { type Exchange, precedes } from '../../exchange/exchange.ts';
import { remember } from './remember.ts';

/** Requests that a client sends together arrive within this time, even on a busy machine. */
export const togetherMs = 250;

const mostNames = 2000;
const mostOfName = 8;

/** Latest exchanges by name. */
export class ExchangeIndex {
  readonly #all = new Map<string, Exchange[]>();

  add(name: string, exchange: Exchange): void {
    remember(this.#all, name, [...(this.#all.get(name) ?? []), exchange].slice(-mostOfName), mostNames);
  }

  /** Returns the exchanges, latest first. */
  of(name: string): Exchange[] {
    return (this.#all.get(name) ?? []).toReversed();
  }
}

/** Decides whether a client knew a response when it sent another request. */
export class Acquaintance {
  readonly #complete: boolean;
  readonly #underWay = new Set<number>();
  /** Exchanges that overlapped with others. */
  readonly #accompanied = new Set<number>();

  constructor(complete: boolean) {
    this.#complete = complete;
  }

  begin({ number }: Exchange): void {
    this.#underWay.add(number);
    // If more are pending, the earlier ones are recorded already.
    if (this.#underWay.size === 2) for (const each of this.#underWay) this.#accompany(each);
    if (this.#underWay.size > 2) this.#accompany(number);
  }

  end({ number }: Exchange): void {
    this.#underWay.delete(number);
  }

  /**
   * Returns whether the client certainly had the earlier response when it sent a request. Both used one connection, or
   * the request came too late to have been sent together with the earlier one.
   */
  knew(later: Exchange, earlier: Exchange): boolean {
    if (later.number <= earlier.number || !precedes(earlier, later)) return false;
    if (later.connection !== undefined && later.connection === earlier.connection) return true;
    // If several requests were in flight, some may have been delayed until after the response.
    const isAlone = this.#complete && !this.#accompanied.has(earlier.number);
    const took = isAlone ? earlier.receivedAt - earlier.sentAt : 0;
    return sinceReceipt(later, earlier) > Math.max(0, togetherMs - took);
  }

  #accompany(number: number): void {
    this.#accompanied.add(number);
    const [oldest] = this.#accompanied;
    if (this.#accompanied.size > mostNames && oldest !== undefined) this.#accompanied.delete(oldest);
  }
}

/**
 * Returns the milliseconds between a response and a later request, by the advanced clock or in real time. The longer
 * time counts, because a client may follow either.
 */
export function sinceReceipt(later: Exchange, earlier: Exchange): number {
  const real = later.sentAt - earlier.receivedAt;
  return Math.max(real, real + later.clockMoved - earlier.clockMoved);
}
