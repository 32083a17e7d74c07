import { prefixedId, type WriteId } from '../../fixtures/world/identifiers.ts';
import { digest } from '../../fixtures/world/seeded.ts';

/** Where new identifiers come from. */
export interface Ids {
  /** An identifier that was not given out before, e.g. `run_3f…`. */
  readonly next: (prefix: string) => string;
}

/** Identifiers that look arbitrary and are the same, in the same order, for the same seed. */
export function seededIds(seed: number, writeId: WriteId = prefixedId): Ids {
  let given = 0;
  return {
    next(prefix) {
      given += 1;
      return writeId(prefix, digest(seed, 'id', String(given)).slice(0, 20), given);
    },
  };
}
