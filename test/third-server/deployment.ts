import type { RequirementId } from '../../fixtures/requirements/model.ts';
import type { Target } from '../../suites/target/target.ts';
import type { Difference, ThirdServer } from './server.ts';

/** A conforming but unusual way to run the service. */
export interface Deployment extends Difference {
  /** Changes to the configuration of the kit. */
  target?(server: ThirdServer): Partial<Target>;
}

/** Deployments by name. */
export type Deployments = Readonly<Record<string, Deployment>>;

/** A violation of the specification for which no rule was written, and the requirements that fail. */
export interface Deviation extends Difference {
  breaks: readonly RequirementId[];
}

/** Deviations by a sentence that tells what the server does. */
export type Deviations = Readonly<Record<string, Deviation>>;
