import type { Deviation } from '../server/behavior.ts';

export type { Deviation } from '../server/behavior.ts';

/** Combines deviations. They are applied in order. */
export const together =
  (...deviations: readonly Deviation[]): Deviation =>
  (behavior) =>
    deviations.reduce((changed, deviate) => deviate(changed), behavior);
