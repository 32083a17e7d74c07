import type { Rules } from '../server/rules.ts';

/** A way to differ: rules in, rules out, with one thing changed. Whether that conforms is not its business. */
export type Deviation = (rules: Rules) => Rules;

/** Several deviations as one, the first applied first. */
export const together =
  (...deviations: readonly Deviation[]): Deviation =>
  (rules) =>
    deviations.reduce((changed, deviate) => deviate(changed), rules);
