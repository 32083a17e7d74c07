import type { Completed } from '../../exchange/exchange.ts';

/** Most elements of a list of the latest, by default. */
export const mostKept = 200;

/** More than a run sends, for what a finding on a later request needs. */
export const mostRemembered = 2000;

/** Adds the latest element to a list, in place of the oldest if the list is full. */
export function keep<T>(all: T[], one: T, most = mostKept): void {
  all.push(one);
  if (all.length > most) all.shift();
}

/** First exchange with each value. Old values are evicted. */
export class Firsts {
  readonly #firsts = new Map<string, Completed>();
  readonly #nameOf: (exchange: Completed) => string | undefined;
  /** Number of exchanges with a value. */
  size = 0;

  constructor(nameOf: (exchange: Completed) => string | undefined) {
    this.#nameOf = nameOf;
  }

  add(exchange: Completed): void {
    const value = this.#nameOf(exchange);
    if (value === undefined) return;
    this.size += 1;
    if (this.#firsts.has(value)) return;
    this.#firsts.set(value, exchange);
    const [oldest] = this.#firsts.keys();
    if (this.#firsts.size > mostRemembered && oldest !== undefined) this.#firsts.delete(oldest);
  }

  /** Returns the first exchange with the value of an exchange; undefined if the exchange has none. */
  of(exchange: Completed): Completed | undefined {
    const value = this.#nameOf(exchange);
    return value === undefined ? undefined : this.#firsts.get(value);
  }
}
