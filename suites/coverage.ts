import type { RequirementId } from '../fixtures/requirements/model.ts';
import { stories } from './topics/index.ts';
import type { Story } from './topics/story.ts';

/** A story that tests a requirement, with its needs. */
export interface Coverage extends Pick<Story, 'needs' | 'turn'> {
  readonly requirement: RequirementId;
  readonly story: string;
}

/** All pairs of a requirement and a story that tests it. */
export const coverage: readonly Coverage[] = stories.flatMap(({ name: story, turn, needs, witnesses }) =>
  witnesses.map((requirement) => ({ requirement, story, turn, needs })),
);
