import type { QuestionId } from '../../fixtures/open-questions.ts';
import type { RequirementId } from '../../fixtures/requirements/model.ts';
import type { Effect } from '../../fixtures/side-effects.ts';
import type { Rule } from '../model/rule.ts';
import type { Needs } from './needs.ts';
import type { Steps } from './steps.ts';

/**
 * When a story runs. By default, stories run side by side; stories that spend run one after another.
 *
 * - `first`: alone among the stories with side effects, and before them, because it compares balances, or because its
 *   images matter most.
 * - `last`: alone, after all other stories, because it exhausts a rate limit or must not meet one.
 * - `end`: alone, after generated requests too, because it leaves the deployment in a state that no story expects.
 */
type Turn = 'first' | 'last' | 'end';

export type Use = 'proposal' | 'content';

/** Needs of stories that create content, propose images, or confirm proposals. */
export const toWrite = { effects: ['writes'] } as const;
export const toPropose = { effects: ['proposals'], settings: ['board'] } as const;
export const toSpend = { effects: ['proposals', 'spending'], settings: ['board'] } as const;

export interface Story {
  readonly name: string;
  readonly turn: Turn | undefined;
  readonly needs: Required<Needs>;
  readonly uses: readonly Use[];
  /** Rules that belong to the story. They judge every exchange of a run, regardless of the story that sent it. */
  readonly requirements: readonly Rule[];
  /** All requirements that the story tests if the deployment supports everything, including those of other stories. */
  readonly witnesses: readonly RequirementId[];
  readonly observes: readonly QuestionId[];
  /** Sends the requests. Rules judge the responses separately. */
  steps(t: Steps): Promise<void>;
}

type StoryParts = Pick<Story, 'steps'> & {
  readonly turn?: Turn;
  readonly needs?: Needs;
  /** Default: the requests of its side effects. */
  readonly uses?: readonly Use[];
  readonly requirements?: readonly Rule[];
  /** Requirements of other stories that this story also tests. */
  readonly alsoTests?: readonly RequirementId[];
};

const useOf: Partial<Record<Effect, Use>> = { proposals: 'proposal', writes: 'content' };

export function story(name: string, parts: StoryParts): Story {
  const { turn, needs = {}, requirements = [], alsoTests = [], steps } = parts;
  const { uses = (needs.effects ?? []).flatMap((effect) => useOf[effect] ?? []) } = parts;
  const witnesses = [...requirements.map(({ id }) => id), ...alsoTests];
  const allNeeds = { roles: ['primary'] as const, effects: [], settings: [], time: false, ...needs };
  return { name, turn, needs: allNeeds, uses, requirements, witnesses, observes: [], steps };
}

/** A story that answers open questions. It has no requirements, but all rules judge its exchanges. */
export function observing(
  name: string,
  { observes, ...parts }: Omit<StoryParts, 'requirements' | 'alsoTests'> & Pick<Story, 'observes'>,
): Story {
  return { ...story(name, parts), observes };
}
