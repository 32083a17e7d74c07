import type { QuestionId } from '../../fixtures/open-questions.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { type Needs, withDefaults } from './needs.ts';
import type { Steps } from './steps.ts';

/**
 * When a flow runs. `balances`: before anything may spend. `reading` and `writing`: side by side, and beside `images`,
 * whose flows run one after the other. Then `clock`, and last of all `limits`, each one by one.
 */
export type Lane = 'balances' | 'reading' | 'writing' | 'images' | 'clock' | 'limits';

/** What preflight finds out for a flow. */
export type Use = 'proposal' | 'content';

/** What the kit does, in the order in which it does it. A flow produces situations, and judges nothing. */
export interface Flow {
  readonly name: string;
  readonly lane: Lane;
  readonly needs: Required<Needs>;
  readonly uses: readonly Use[];
  /** The most images that it could confirm. */
  readonly images: number;
  /** Requirements that are tested by it on a deployment where everything is possible. */
  readonly witnesses: readonly RequirementId[];
  /** Open questions that it is sent for. */
  readonly observes: readonly QuestionId[];
  run(t: Steps): Promise<void>;
}

export type FlowFacts = Omit<Flow, 'name' | 'needs' | 'uses' | 'images' | 'observes' | 'run'> & {
  readonly needs?: Needs;
  readonly uses?: readonly Use[];
  readonly images?: number;
};

export function flow(name: string, facts: FlowFacts, run: Flow['run']): Flow {
  const { lane, needs = {}, uses = [], images = 0, witnesses } = facts;
  return { name, lane, needs: withDefaults(needs), uses, images, witnesses, observes: [], run };
}

/** A flow that answers open questions: it tests no requirement, though its exchanges are judged like any others. */
export function observing(
  name: string,
  { observes, ...facts }: Omit<FlowFacts, 'witnesses'> & Pick<Flow, 'observes'>,
  run: Flow['run'],
): Flow {
  return { ...flow(name, { ...facts, witnesses: [] }, run), observes };
}
