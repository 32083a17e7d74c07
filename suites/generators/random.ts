import { createHash } from 'node:crypto';

/** Seeded numbers, choices and texts. Equal seeds and purposes give equal sequences. */
export class Random {
  #state: number;

  constructor(seed: number, purpose: string) {
    this.#state = createHash('sha256').update(`${seed}/${purpose}`).digest().readUInt32BE();
  }

  /** Returns an integer from 0 up to, but not including, `end`. */
  below(end: number): number {
    // Mulberry32 is small, and good enough for random choices.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  }

  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  /** Returns true once in `times` on average. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<T>(from: readonly T[]): T {
    // The index is within the list. `T` may include undefined, so undefined is a valid result.
    return from[this.below(from.length)] as T;
  }

  /** Picks one item, in proportion to the weights. */
  weighted<T extends { readonly weight: number }>(from: readonly T[]): T {
    return this.pick(from.flatMap((choice) => Array.from({ length: choice.weight }, () => choice)));
  }

  /** Picks up to `most` different items, in random order. */
  some<T>(from: readonly T[], most: number): T[] {
    const left = [...from];
    return Array.from({ length: Math.min(most, left.length) }, () => left.splice(this.below(left.length), 1)).flat();
  }

  /** Returns printable ASCII. */
  ascii(shortest: number, longest: number): string {
    const length = this.between(shortest, longest);
    return Array.from({ length }, () => String.fromCharCode(this.between(0x20, 0x7e))).join('');
  }

  letters(length: number): string {
    return Array.from({ length }, () => String.fromCharCode(this.between(0x61, 0x7a))).join('');
  }
}
