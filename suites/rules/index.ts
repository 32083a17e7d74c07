import { confirmations } from './confirmations.ts';
import { expiry } from './expiry.ts';
import { race } from './race.ts';
import type { Rule } from './rule.ts';
import { worthlessIds } from './worthless-ids.ts';

/** Every rule, by topic. */
export const rules: readonly Rule[] = [...confirmations, ...worthlessIds, ...expiry, ...race];
