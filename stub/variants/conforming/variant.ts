import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import type { Deviation } from '../defect.ts';

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
