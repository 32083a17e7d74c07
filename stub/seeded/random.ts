/**
 * Functions of `node:crypto`. An `import` would evaluate all exports, including Web Crypto, and double the startup time
 * of the stub.
 */
const { hash } = process.getBuiltinModule('node:crypto');

/** 64 hexadecimal digits, determined by the seed and the parts. */
export function digest(seed: number, ...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify([seed, ...parts]), 'hex');
}

/** 43 characters in base64url, determined by the seed and the parts. */
export function secret(seed: number, ...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(['secret', seed, ...parts]), 'base64url');
}

/** A number from 0 to 1, without 1, the same for the same seed and parts. */
export function seededNumber(seed: number, ...parts: readonly string[]): number {
  return Number.parseInt(digest(seed, ...parts).slice(0, 8), 16) / 2 ** 32;
}

/** Seeded random number generator. Returns numbers from 0 (inclusive) to 1 (exclusive). */
export function seededRandom(seed: number, ...parts: readonly string[]): () => number {
  let given = 0;
  return () => {
    given += 1;
    return seededNumber(seed, 'random', ...parts, String(given));
  };
}

/** Returns the elements of a list in random order. */
export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((element) => ({ element, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ element }) => element);
}

/** Random choices. */
export interface Choices {
  /** Returns an integer from `min` to `max`. */
  readonly integer: (min: number, max: number) => number;
  readonly one: <T>(list: readonly [T, ...T[]]) => T;
  /** Returns `min` to `max` different elements of a list, in random order. */
  readonly some: <T>(list: readonly T[], min: number, max?: number) => T[];
}

/** Choices that depend only on the seed and the parts. */
export function seededChoices(seed: number, ...parts: readonly string[]): Choices {
  const next = seededRandom(seed, ...parts);
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    integer,
    one: (list) => list[integer(0, list.length - 1)] ?? list[0],
    some(list, min, max = min) {
      const count = integer(min, max);
      const rest = [...list];
      return Array.from({ length: Math.min(count, list.length) }, () =>
        rest.splice(integer(0, rest.length - 1), 1),
      ).flat();
    },
  };
}

/**
 * Formats an identifier.
 * @param kind prefix that names the type of resource: `brd`, `pc`, or `item` for seeded library items
 * @param digits hexadecimal digits, unique within the kind
 */
export type WriteId = (kind: string, digits: string) => string;

/** Default format: a prefix for the kind, then the digits. Library items have no prefix; a field names their kind. */
export const prefixedId: WriteId = (kind, digits) => (kind === 'item' ? digits : `${kind}_${digits}`);
