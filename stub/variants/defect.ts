import type { RequirementId } from '../../fixtures/requirements/model.ts';
import type { Deviation } from '../server/behavior.ts';

/** A single deviation from the specification, for testing the kit. */
export interface Defect {
  /** Behavior of the server, as a predicate. */
  readonly what: string;
  /** Broken requirements, the main one first. At least one of them must fail, and no others. */
  readonly breaks: readonly [RequirementId, ...RequirementId[]];
  readonly deviation: Deviation;
}

/** Starts the definition of a defect: `defect(what).breaks(requirements).by(deviation)`. */
export const defect = (what: string) => ({
  breaks: (...breaks: Defect['breaks']) => ({
    by: (deviation: Deviation): Defect => ({ what, breaks, deviation }),
  }),
});

export type { Deviation } from '../server/behavior.ts';

/** Combines deviations. They are applied in order. */
export const together =
  (...deviations: readonly Deviation[]): Deviation =>
  (behavior) =>
    deviations.reduce((changed, deviate) => deviate(changed), behavior);

/** A conforming difference of the stub, for testing clients and the kit. */
export interface Variant {
  /** Behavior of the server, as a predicate. */
  readonly what: string;
  /** The part of the specification that leaves room for the variant. */
  readonly room: string;
  /** The question that the variant decides. Variants that decide the same question exclude each other. */
  readonly decides?: string;
  /** Requirements of the level `should` that the variant does not follow. */
  readonly against?: readonly RequirementId[];
  /** False if the variant removes something that clients need. `--variant random` skips such a variant. */
  readonly random?: false;
  readonly deviation: Deviation;
}
