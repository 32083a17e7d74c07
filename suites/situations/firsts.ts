import type { Completed } from '../history/exchange.ts';
import { remember } from './remember.ts';

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
