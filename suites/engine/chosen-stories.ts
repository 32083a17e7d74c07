import type { QuestionId } from '../../fixtures/open-questions.ts';
import type { RequirementId } from '../../fixtures/requirements/model.ts';
import { topics } from '../../fixtures/requirements/model.ts';
import type { Effect } from '../../fixtures/side-effects.ts';
import { topicOf } from '../ids-summary.ts';
import { requirements } from '../requirements.ts';
import { selectRequirements } from '../selection.ts';
import { stories } from '../topics/index.ts';
import { observingStories } from '../topics/open-questions/index.ts';
import type { Story } from '../topics/story.ts';

/** Selects what a run tests, observes and explores. */
export interface Selection {
  /** Globs on requirement IDs, or names of topics. Default: all requirements. */
  only?: readonly string[];
  skip?: readonly string[];
  /** Number of generated requests after the stories, not counting requests that shrink a failure. Default: 0. */
  explore?: number;
  /** Answers open questions with a bounded number of further requests. Default: true. */
  observe?: boolean;
}

/** Returns the requirements that `only` and `skip` select. */
export function selectedIds({ only, skip }: Selection): ReadonlySet<RequirementId> {
  return new Set(selectRequirements(requirements, only, skip).map(({ id }) => id));
}

/** Returns the stories that test a selected requirement. */
export function testingStories(selected: ReadonlySet<RequirementId>): Story[] {
  return stories.filter(({ witnesses }) => witnesses.some((id) => selected.has(id)));
}

/**
 * Returns the stories that only observe, or none if `observe` is false. Selecting single requirements of a topic
 * does not select the questions of the topic.
 */
export function chosenObserving(selection: Selection, selected: ReadonlySet<RequirementId>): Story[] {
  const { observe = true, only } = selection;
  if (!observe) return [];
  const wanted = new Set(selectRequirements(requirements, only, []).map(({ id }) => id));
  const inPart = new Set<string>(requirements.filter(({ id }) => !wanted.has(id)).map(({ topic }) => topic));
  const asked = new Set([...selected].filter((id) => !inPart.has(topicOf(id))));
  return observingStories.filter(({ observes }) => observes.some((id) => isAsked(id, asked)));
}

/** Returns whether an open question is asked: its topic is selected, or all topics are. */
export function isAsked(question: QuestionId, selected: ReadonlySet<RequirementId>): boolean {
  const asked = new Set([...selected].map(topicOf));
  return topics.every((topic) => asked.has(topic)) || asked.has(topicOf(question));
}

/** Returns the side effects that the chosen stories use; undefined if generated requests may have any. */
export function effectsUsed(selection: Selection): ReadonlySet<Effect> | undefined {
  if ((selection.explore ?? 0) > 0) return undefined;
  const selected = selectedIds(selection);
  const chosen = [...testingStories(selected), ...chosenObserving(selection, selected)];
  return new Set(chosen.flatMap(({ needs }) => needs.effects));
}
