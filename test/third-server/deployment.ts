import type { Target } from '../../suites/target/target.ts';
import { refusal } from './answers.ts';
import type { Call } from './model.ts';
import type { Difference, ThirdServer } from './server.ts';
import { around, type Steps } from './steps.ts';

/** A conforming but unusual way to run the service. */
export interface Deployment extends Difference {
  id: string;
  sentence: string;
  /** IDs of requirements that may stay untested here; `topic.*` stands for a topic. */
  untested?: readonly string[];
  /** Changes to the configuration of the kit. */
  target?(server: ThirdServer): Partial<Target>;
}

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

/** Declines requests by a rule of the service, after checking arguments and resolving the workspace. */
export function declines(code: string, applies: (call: Call) => boolean): (steps: Steps) => void {
  return (steps) =>
    around(steps, 'run', (next) => async (c) => (applies(c) ? refusal(code, 'This is not possible here.') : next(c)));
}

/** Combines several changes of steps. */
export function all(...changes: ((steps: Steps) => void)[]): (steps: Steps) => void {
  return (steps) => {
    for (const change of changes) change(steps);
  };
}
