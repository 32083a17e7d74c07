import type { RequirementId } from '../../../fixtures/requirements/index.ts';
import type { Deviation } from '../deviation.ts';

/** A single deviation of the stub from the specification, by which a kit can be tried. */
export interface Defect {
  /** What such a server does. */
  readonly what: string;
  /**
   * Requirements that it breaks, the one that it is about first: at least one of them is to be found, and none besides.
   */
  readonly breaks: readonly [RequirementId, ...RequirementId[]];
  /** How it changes the stub. */
  readonly deviation: Deviation;
}

/** Defines a defect: what it does, which requirements it breaks, by which deviation. */
export const defect = (what: string) => ({
  breaks: (...breaks: Defect['breaks']) => ({
    by: (deviation: Deviation): Defect => ({ what, breaks, deviation }),
  }),
});
