import type { Completed } from '../../exchange/exchange.ts';

/** Sets the value of a name. Evicts the names that were set longest ago, so that at most `most` remain. */
export function remember<K, V>(all: Map<K, V>, name: K, value: V, most: number): void {
  all.delete(name);
  all.set(name, value);
  for (const oldest of all.keys()) {
    if (all.size <= most) return;
    all.delete(oldest);
  }
}

const mostRemembered = 2000;

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
    if (!this.#firsts.has(value)) remember(this.#firsts, value, exchange, mostRemembered);
  }

  /** Returns the first exchange with the value of an exchange; undefined if the exchange has none. */
  of(exchange: Completed): Completed | undefined {
    const value = this.#nameOf(exchange);
    return value === undefined ? undefined : this.#firsts.get(value);
  }
}
