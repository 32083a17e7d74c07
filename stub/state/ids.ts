import { prefixedId, type WriteId } from '../../fixtures/world/identifiers.ts';
import { digest } from '../../fixtures/world/seeded.ts';

/** Where new identifiers come from. */
export interface Ids {
  /** An identifier that was not given out before, e.g. `run_3f…`. */
  readonly next: (prefix: string) => string;
}

/** Digits of an identifier, and how many identifiers a digest has enough of them for. */
const idLength = 20;
const idsOfDigest = 3;

/** Identifiers that look arbitrary and are the same, in the same order, for the same seed. */
export function seededIds(seed: number, writeId: WriteId = prefixedId): Ids {
  let given = 0;
  let digits = '';
  return {
    next(prefix) {
      const at = given % idsOfDigest;
      if (at === 0) digits = digest(seed, 'id', String(given));
      given += 1;
      return writeId(prefix, digits.slice(at * idLength, (at + 1) * idLength), given);
    },
  };
}
