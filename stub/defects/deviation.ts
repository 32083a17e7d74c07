import type { Rules } from '../rules.ts';

/** A way to be different: rules in, rules out, with one thing changed. Whether that conforms is not its business. */
export type Deviation = (rules: Rules) => Rules;
