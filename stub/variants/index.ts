import { chooseVariants, combineVariants } from './conforming/index.ts';
import { type Deviation, together } from './defect.ts';
import { combineDefects } from './defects.ts';

/** Names of deviations. */
export interface Names {
  /** Conforming variants; `random` adds random ones. Listed by `tck list --variants`. */
  readonly variants?: readonly string[] | undefined;
  /** Defects; they break the specification. Listed by `tck list --defects`. */
  readonly defects?: readonly string[] | undefined;
}

/** Creates the deviation for these names. Throws a UsageError for unknown names and for incompatible variants. */
export function deviationOf({ variants = [], defects = [], seed }: Names & { readonly seed: number }): Deviation {
  return together(combineVariants(chooseVariants(variants, seed)), combineDefects(defects));
}
