import { digest, prefixedId, type WriteId } from '../../world/seeded.ts';

export interface Ids {
  /** Returns an identifier not returned before, for example `run_3f…`. */
  readonly next: (prefix: string) => string;
}

/**
 * Length of an identifier in bytes, and the offsets of its three 32-bit numbers. The seed's digest uses the same
 * offsets. The third number overwrites half of the second. The first stays intact, so 2^32 identifiers are distinct.
 */
const idBytes = 10;
const numbersAt = [0, 4, 6] as const;

/**
 * Generates identifiers of 20 hexadecimal digits. The same seed gives the same sequence. Skips identifiers in `taken`.
 */
export function seededIds(seed: number, writeId: WriteId = prefixedId, taken: ReadonlySet<string> = new Set()): Ids {
  const salt = Buffer.from(digest(seed, 'ids'), 'hex');
  const bytes = Buffer.alloc(idBytes);
  let given = 0;
  return {
    next(prefix) {
      let id: string;
      do {
        given += 1;
        for (const at of numbersAt) bytes.writeInt32LE(mixed(salt.readInt32LE(at) + given), at);
        id = writeId(prefix, bytes.toString('hex'), given);
      } while (taken.has(id));
      return id;
    },
  };
}

/** The final mixing step of MurmurHash3. It maps distinct 32-bit numbers to distinct numbers. */
function mixed(number: number): number {
  let bits = number ^ (number >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
