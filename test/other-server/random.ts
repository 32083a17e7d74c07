/** Seeded random numbers, so that servers with equal seeds are identical. */
export interface Random {
  /** Returns a number in [0, 1). */
  fraction(): number;
  /** Returns an integer from 0 to `below` - 1. */
  integer(below: number): number;
  shuffled<T>(list: readonly T[]): T[];
  text(length: number, alphabet?: string): string;
}

const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

export const createRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (below: number) => Math.floor(fraction() * below);
  return {
    fraction,
    integer,
    shuffled(list) {
      return list
        .map((entry) => ({ entry, place: fraction() }))
        .sort((a, b) => a.place - b.place)
        .map(({ entry }) => entry);
    },
    text(length, alphabet = letters) {
      let text = '';
      while (text.length < length) text += alphabet.charAt(integer(alphabet.length));
      return text;
    },
  };
};
