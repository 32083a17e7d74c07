import type { QuestionId } from '../../fixtures/open-questions.ts';
import { type RequirementId, topics } from '../../fixtures/requirements/model.ts';
import type { Effect } from '../../fixtures/side-effects.ts';
import type { History } from '../exchange/history.ts';
import { requirements } from '../requirements.ts';
import type { RunEvent } from '../result.ts';
import { type Counted, ceilings } from '../session/budget.ts';
import type { Timer } from '../session/run-time.ts';
import type { Target } from '../target/target.ts';
import { stories } from '../topics/index.ts';
import { observingStories } from '../topics/open-questions/open-questions.ts';
import type { Story } from '../topics/story.ts';
import { topicOf } from '../usage/counted.ts';
import { selectRequirements } from './selection.ts';

export interface AuditOptions extends Selection {
  /** Globs or topics of requirements that must be tested, or `all`. */
  require?: readonly string[];
  seed: number;
  /** Runs the stories in an order that depends on the seed. */
  shuffle?: boolean;
  /** Stops after the first failed requirement of level `must`. */
  bail?: boolean;
  /** Ends the run early. The result reports everything known so far. */
  signal?: AbortSignal;
  onEvent?: (event: RunEvent) => void;
  /** Also emits an event for each request. */
  verbose?: boolean;
  /** Label of the deployment in the report, such as its build or commit. */
  label?: string;
  /** Receives the history of the run when the run ends. */
  onHistory?: (history: History) => void;
  /** Maximum duration. Default: computed from the planned requests and the rate of each key. */
  maxDurationSeconds?: number | undefined;
  /** Start of the run by the clock of the deployment. Default: now. */
  startedAt?: Date;
  /** Timer for all waits. Default: real time. */
  timer?: Timer;
}

/**
 * Returns the maximum number of requests that a run with these options sends with each key. No response of the
 * deployment raises this limit.
 */
export function mostCalls(target: Pick<Target, 'keys' | 'allow' | 'pace'>, selection: Selection): Map<Counted, number> {
  const { observe = true, explore = 0 } = selection;
  return ceilings(target, { observing: observe, explore, uses: effectsUsed(selection) });
}

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
