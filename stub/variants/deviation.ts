import type { Deviation } from '../server/behavior.ts';

export type { Deviation } from '../server/behavior.ts';

/** Several deviations as one, the first applied first. */
export const together =
  (...deviations: readonly Deviation[]): Deviation =>
  (behavior) =>
    deviations.reduce((changed, deviate) => deviate(changed), behavior);
