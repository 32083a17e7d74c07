import { type Requirement, type RequirementId, topics } from '../fixtures/requirements/model.ts';
import { rules, stories } from './topics/index.ts';
import type { Story } from './topics/story.ts';

const inOrder: readonly string[] = topics;

/** All requirements that black-box tests can check, ordered by topic. */
export const requirements: readonly Requirement[] = rules
  .map(({ requirement }) => requirement)
  .sort((a, b) => inOrder.indexOf(a.topic) - inOrder.indexOf(b.topic));

/** A story that tests a requirement, with its needs. */
export interface Coverage extends Pick<Story, 'needs' | 'turn'> {
  readonly requirement: RequirementId;
  readonly story: string;
}

/** All pairs of a requirement and a story that tests it. */
export const coverage: readonly Coverage[] = stories.flatMap(({ name: story, turn, needs, witnesses }) =>
  witnesses.map((requirement) => ({ requirement, story, turn, needs })),
);
