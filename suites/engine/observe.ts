import { topics } from '../../fixtures/requirements/model.ts';
import { topicOf } from '../named.ts';
import type { Observation } from '../observations/observation.ts';
import { NotTested } from '../session/budget.ts';
import { Unanswered } from '../session/call.ts';
import type { Target } from '../target.ts';
import { Context, type Surroundings } from './context.ts';
import { missingFor } from './feasible.ts';
import type { Ground } from './ground.ts';

/** The most further calls that observing costs a run. */
export const mostFurtherRequests = 120;

/** Observations by when they are made. */
export interface ObservationPlan {
  /** All at once, after the checks that only read. */
  together: Observation[];
  /** One by one, after the checks that move the clock. */
  alone: Observation[];
  /** Last of all: they read what the run recorded. */
  afterwards: Observation[];
}

/** The observations on these topics that the deployment allows and the run has requests for. */
export function planObservations(
  all: readonly Observation[],
  target: Target,
  ground: Ground,
  asked: ReadonlySet<string>,
): ObservationPlan {
  // Some questions have a topic of their own, which no requirement has.
  const whole = topics.every((topic) => asked.has(topic));
  let left = mostFurtherRequests;
  const chosen = all.filter((observation) => {
    const wanted = whole || observation.answers.some((id) => asked.has(topicOf(id)));
    if (!wanted || missingFor(observation, target, ground).length > 0 || observation.mostRequests > left) return false;
    left -= observation.mostRequests;
    return true;
  });
  const sending = chosen.filter(({ mostRequests }) => mostRequests > 0);
  return {
    together: sending.filter(({ needs }) => needs.alone === false),
    alone: sending.filter(({ needs }) => needs.alone !== false),
    afterwards: chosen.filter(({ mostRequests }) => mostRequests === 0),
  };
}

/** Makes one observation. Whatever keeps it from an answer leaves the question open; only its own fault is told. */
export async function observe(observation: Observation, around: Surroundings): Promise<string | undefined> {
  try {
    await observation.run(new Context(around));
  } catch (error) {
    if (error instanceof NotTested || error instanceof Unanswered) return undefined;
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return `the observation of ${observation.answers.join(', ')} itself broke: ${reason}`;
  }
  return undefined;
}
