import { type Exchange, precedes } from '../../history/exchange.ts';
import { remember } from './remember.ts';

/** Requests that a client makes together arrive within this time of each other, also on a busy machine. */
export const togetherMs = 250;

const mostNames = 2000;
const mostOfName = 8;

/** Exchanges by a name, of which rules ask for those that a client knew when it sent a request. */
export class Known {
  readonly #all = new Map<string, Exchange[]>();

  add(name: string, exchange: Exchange): void {
    remember(this.#all, name, [...(this.#all.get(name) ?? []), exchange].slice(-mostOfName), mostNames);
  }

  /** The latest first. */
  of(name: string): Exchange[] {
    return (this.#all.get(name) ?? []).toReversed();
  }
}

/** Tells whether a client knew one response when it sent another request. */
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
    // Where there were two before, both are accompanied already.
    if (this.#underWay.size === 2) for (const each of this.#underWay) this.#accompany(each);
    if (this.#underWay.size > 2) this.#accompany(number);
  }

  end({ number }: Exchange): void {
    this.#underWay.delete(number);
  }

  /**
   * Whether a request was surely sent by a client that had an earlier response: it came on the same connection, or
   * after that response and too late to have been made together with the earlier request.
   */
  knew(later: Exchange, earlier: Exchange): boolean {
    if (later.number <= earlier.number || !precedes(earlier, later)) return false;
    if (later.connection !== undefined && later.connection === earlier.connection) return true;
    // Of several that were under way, some may have been held up until after the response.
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
 * Milliseconds between a response and a later request, by the moved clock or by the real one: a client may go by
 * either.
 */
export function sinceReceipt(later: Exchange, earlier: Exchange): number {
  const real = later.sentAt - earlier.receivedAt;
  return Math.max(real, real + later.clockMoved - earlier.clockMoved);
}
