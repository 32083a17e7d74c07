import type { QuestionId } from '../../fixtures/open-questions.ts';
import { type RequirementId, requirements } from '../../fixtures/requirements/index.ts';
import { topics } from '../../fixtures/requirements/model.ts';
import type { Effect } from '../../fixtures/side-effects.ts';
import type { Flow } from '../flows/flow.ts';
import { flows as allFlows } from '../flows/index.ts';
import { observingFlows } from '../flows/observing/index.ts';
import { topicOf } from '../named.ts';
import { requirementsAsOf, selectRequirements } from '../selection.ts';
import type { AuditOptions } from './options.ts';

export type Selection = Pick<AuditOptions, 'only' | 'skip' | 'asOf' | 'observe' | 'questions' | 'explore'>;

/** The requirements that `--only`, `--skip` and `--as-of` leave. */
export function selectedIds({ only, skip, asOf }: Selection): ReadonlySet<RequirementId> {
  return new Set(selectRequirements(requirementsAsOf(requirements, asOf), only, skip).map(({ id }) => id));
}

/** The flows that test a selected requirement. */
export function testingFlows(selected: ReadonlySet<RequirementId>): Flow[] {
  return allFlows.filter(({ witnesses }) => witnesses.some((id) => selected.has(id)));
}

/** The flows that only observe; none unless open questions are answered with further requests. */
export function chosenObserving(selection: Selection, selected: ReadonlySet<RequirementId>): Flow[] {
  if ((selection.observe ?? true) !== true) return [];
  return observingFlows.filter(({ observes }) => observes.some((id) => isAsked(id, selection, selected)));
}

/** Whether an open question is asked; some questions have a topic of their own, which no requirement has. */
export function isAsked(question: QuestionId, { questions }: Selection, selected: ReadonlySet<RequirementId>): boolean {
  const asked = questions ?? new Set([...selected].map(topicOf));
  return topics.every((topic) => asked.has(topic)) || asked.has(topicOf(question));
}

/** Side effects that the chosen flows use; undefined if generated requests may have any. */
export function effectsUsed(selection: Selection): ReadonlySet<Effect> | undefined {
  if ((selection.explore ?? 0) > 0) return undefined;
  const selected = selectedIds(selection);
  const flows = [...testingFlows(selected), ...chosenObserving(selection, selected)];
  return new Set(flows.flatMap(({ needs }) => needs.effects));
}
