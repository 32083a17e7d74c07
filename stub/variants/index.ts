import { chooseVariants, combineVariants } from './conforming/index.ts';
import { combineDefects } from './defects/index.ts';
import { type Deviation, together } from './deviation.ts';

/** Deviations of the stub, by name. */
export interface Names {
  /** Conforming ones, `random` for many that the seed chooses; `tck list --variants` tells them. */
  readonly variants?: readonly string[] | undefined;
  /** Ones that break the specification; `tck list --defects` tells them. */
  readonly defects?: readonly string[] | undefined;
}

/**
 * The deviation that names ask for. Throws a UsageError for names that are none, and for variants that contradict each
 * other.
 */
export function deviationOf({ variants = [], defects = [], seed }: Names & { readonly seed: number }): Deviation {
  return together(combineVariants(chooseVariants(variants, seed)), combineDefects(defects));
}
