import type { Target } from '../../target.ts';
import { refusal } from './answers.ts';
import type { Call } from './model.ts';
import type { Difference, ThirdServer } from './server.ts';
import { around, type Steps } from './steps.ts';

/** One honest but unusual way to run the service. */
export interface Deployment extends Difference {
  id: string;
  sentence: string;
  /** Ids of requirements that may stay not tested here; `topic.*` names a whole topic. */
  untested?: readonly string[];
  /** What the person who runs the kit configured otherwise. */
  target?(server: ThirdServer): Partial<Target>;
}

/** Declines a request by a rule of the service's own, once its arguments are valid and its workspace is found. */
export function declines(code: string, applies: (call: Call) => boolean): (steps: Steps) => void {
  return (steps) =>
    around(steps, 'run', (next) => async (c) => (applies(c) ? refusal(code, 'This is not possible here.') : next(c)));
}

/** Several changes of steps at once. */
export function all(...changes: ((steps: Steps) => void)[]): (steps: Steps) => void {
  return (steps) => {
    for (const change of changes) change(steps);
  };
}
