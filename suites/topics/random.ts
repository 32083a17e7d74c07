import { createHash } from 'node:crypto';

/** Returns lower-case letters and digits that depend only on the seed and the purpose. `length` is at most 32. */
export function seededText(seed: number, purpose: string, length = 16): string {
  const digest = createHash('sha256').update(`${seed}/${purpose}`).digest();
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  return Array.from(digest.subarray(0, length), (byte) => alphabet[byte % alphabet.length]).join('');
}

/** Returns a number from 0 (inclusive) to 1 (exclusive) that depends only on the seed and the purpose. */
export function seededFraction(seed: number, purpose: string): number {
  return createHash('sha256').update(`${seed}/${purpose}`).digest().readUInt32BE() / 2 ** 32;
}

/** Returns the items in an order that depends only on the seed. */
export function seededOrder<T>(things: readonly T[], seed: number): T[] {
  return things
    .map((thing, index) => ({ thing, key: seededText(seed, `order ${index}`, 16) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ thing }) => thing);
}
