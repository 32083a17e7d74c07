import { prefixedId, type WriteId } from '../../../fixtures/world/identifiers.ts';
import { digest } from '../../../fixtures/world/seeded.ts';

/** Where new identifiers come from. */
export interface Ids {
  /** An identifier that was not given out before, e.g. `run_3f…`. */
  readonly next: (prefix: string) => string;
}

/**
 * Bytes of an identifier, and where in it, and in the seed's digest, its three numbers of four bytes begin. The third
 * covers half of the second; the first stays whole, so that four thousand million identifiers differ.
 */
const idBytes = 10;
const numbersAt = [0, 4, 6] as const;

/**
 * Identifiers that look arbitrary and are the same, in the same order, for the same seed; of twenty hexadecimal digits.
 */
export function seededIds(seed: number, writeId: WriteId = prefixedId): Ids {
  const salt = Buffer.from(digest(seed, 'ids'), 'hex');
  const bytes = Buffer.alloc(idBytes);
  let given = 0;
  return {
    next(prefix) {
      given += 1;
      for (const at of numbersAt) bytes.writeInt32LE(mixed(salt.readInt32LE(at) + given), at);
      return writeId(prefix, bytes.toString('hex'), given);
    },
  };
}

/**
 * The bits of a number in disorder, as MurmurHash3 ends: no two numbers that differ in their last 32 bits become the
 * same.
 */
function mixed(number: number): number {
  let bits = number ^ (number >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
