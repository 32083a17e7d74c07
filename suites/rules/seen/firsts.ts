import type { Completed } from '../../history/exchange.ts';
import { remember } from './remember.ts';

const mostRemembered = 2000;

/** The first exchange that showed each value, as far as it is not long ago. */
export class Firsts {
  readonly #firsts = new Map<string, Completed>();

  add(value: string, exchange: Completed): void {
    if (!this.#firsts.has(value)) remember(this.#firsts, value, exchange, mostRemembered);
  }

  of(value: string): Completed | undefined {
    return this.#firsts.get(value);
  }
}
