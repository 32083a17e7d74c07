import type { RequirementId } from '../../fixtures/requirements/model.ts';
import type { Target } from '../../suites/target/target.ts';
import type { Difference, ThirdServer } from './server.ts';

/** A conforming but unusual way to run the service. */
export interface Deployment extends Difference {
  id: string;
  sentence: string;
  /** Changes to the configuration of the kit. */
  target?(server: ThirdServer): Partial<Target>;
}

/** A violation of the specification for which no rule was written, and the requirements that fail. */
export interface Deviation extends Difference {
  breaks: readonly RequirementId[];
}

/** Deviations by a sentence that tells what the server does. */
export type Deviations = Readonly<Record<string, Deviation>>;

/** IDs of requirements that compare balances. They may stay untested if the balance also changes by itself. */
export const comparingBalances: readonly string[] = [
  'confirmations.charged-as-proposed',
  'confirmations.charges-add-up',
  'confirmations.refused-costs-nothing',
  'content-requests.spends-nothing',
  'credits.one-balance',
  'credits.other-account-unchanged',
  'image-proposals.spends-nothing',
];
