import { chooseVariants, combineVariants } from './conforming/index.ts';
import { type Deviation, together } from './defect.ts';
import { combineDefects } from './defects.ts';

interface Names {
  readonly seed: number;
  readonly variants?: readonly string[] | undefined;
  readonly defects?: readonly string[] | undefined;
}

/** Creates the deviation for these names. Throws a UsageError for unknown names and for incompatible variants. */
export function deviationOf({ variants = [], defects = [], seed }: Names): Deviation {
  return together(combineVariants(chooseVariants(variants, seed)), combineDefects(defects));
}
