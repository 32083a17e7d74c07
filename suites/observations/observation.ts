import type { QuestionId } from '../../fixtures/open-questions.ts';
import { type Needs, withDefaults } from '../check.ts';
import type { Context } from '../engine/context.ts';

/**
 * Answers open questions by what a deployment does. It never judges: what it meets is noted, and every exchange that it
 * makes is held to the same rules as any other.
 */
export interface Observation {
  /** The questions that it may answer. */
  answers: readonly QuestionId[];
  needs: Required<Needs>;
  /** The most calls that it makes; with 0 it only reads what the run recorded, and comes last. */
  mostRequests: number;
  run(t: Context): Promise<void>;
}

/** Same, with what it need not say: `primary` as its key, and nothing recorded but by others. */
export function observation(spec: {
  answers: readonly QuestionId[];
  needs?: Needs;
  mostRequests?: number;
  run(t: Context): void | Promise<void>;
}): Observation {
  const { answers, needs = {}, mostRequests = 0, run } = spec;
  const silent = mostRequests === 0 ? { roles: [] } : {};
  return {
    answers,
    needs: withDefaults({ ...silent, ...needs }),
    mostRequests,
    run: async (t) => run(t),
  };
}
