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

  add(value: string, exchange: Completed): void {
    if (!this.#firsts.has(value)) remember(this.#firsts, value, exchange, mostRemembered);
  }

  of(value: string): Completed | undefined {
    return this.#firsts.get(value);
  }
}
