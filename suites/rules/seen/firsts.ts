import type { Completed } from '../../history/exchange.ts';

const mostRemembered = 10_000;

/** The first exchange that showed each value. */
export class Firsts {
  readonly #firsts = new Map<string, Completed>();

  add(value: string, exchange: Completed): void {
    if (!this.#firsts.has(value) && this.#firsts.size < mostRemembered) this.#firsts.set(value, exchange);
  }

  of(value: string): Completed | undefined {
    return this.#firsts.get(value);
  }
}
