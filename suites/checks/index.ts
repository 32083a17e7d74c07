import type { Check } from '../check.ts';
import { fuzzing } from '../fuzz/index.ts';

/** Every check, in the order in which a reader wants to meet them. */
export const checks: readonly Check[] = [...fuzzing];
