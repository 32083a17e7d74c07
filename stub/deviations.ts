import { combineDefects } from './defects/index.ts';
import { combineDialects, dialectsOf } from './dialects/index.ts';
import type { Rules } from './rules.ts';

/** Deviations of the stub, by name. */
export interface Names {
  /** Conforming ones; `tck list --dialects` tells them. */
  readonly dialects?: readonly string[] | undefined;
  /** Adds a mixture, by seed, of everything legal that clients tend not to expect. */
  readonly hostile?: boolean | undefined;
  /** Ones that break the document; `tck list --defects` tells them. */
  readonly defects?: readonly string[] | undefined;
}

/** Rules that deviate as named. Throws a UsageError for names that are none, and for dialects that contradict each other. */
export function namedRules(names: Names & { readonly seed: number }): (rules: Rules) => Rules {
  const { dialects = [], hostile = false, defects = [], seed } = names;
  const dialect = combineDialects(dialectsOf({ dialect: dialects, hostile }, seed));
  const defect = combineDefects(defects);
  return (rules) => defect(dialect(rules));
}
