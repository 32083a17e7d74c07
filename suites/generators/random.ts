import { createHash } from 'node:crypto';

/** Numbers, choices and texts: the same for the same seed and purpose. */
export class Random {
  #state: number;

  constructor(seed: number, purpose: string) {
    this.#state = createHash('sha256').update(`${seed}/${purpose}`).digest().readUInt32BE();
  }

  /** A whole number from 0 to less than `end`. */
  below(end: number): number {
    // Mulberry32: small, and good enough to choose with.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  }

  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  /** True once in so many times. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<T>(from: readonly T[]): T {
    // An index within the list has a value of its type, which may be undefined.
    return from[this.below(from.length)] as T;
  }

  /** One of these, the weightier the more often. */
  weighted<T extends { readonly weight: number }>(from: readonly T[]): T {
    return this.pick(from.flatMap((each) => Array.from({ length: each.weight }, () => each)));
  }

  /** As many of these, in any order. */
  some<T>(from: readonly T[], most: number): T[] {
    const left = [...from];
    return Array.from({ length: Math.min(most, left.length) }, () => left.splice(this.below(left.length), 1)).flat();
  }

  /** Printable ASCII. */
  ascii(shortest: number, longest: number): string {
    const length = this.between(shortest, longest);
    return Array.from({ length }, () => String.fromCharCode(this.between(0x20, 0x7e))).join('');
  }

  letters(length: number): string {
    return Array.from({ length }, () => String.fromCharCode(this.between(0x61, 0x7a))).join('');
  }
}
