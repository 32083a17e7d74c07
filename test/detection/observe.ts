import { createStub, type Stub } from '../../stub/index.ts';
import { audit } from '../../suites/engine/audit.ts';
import type { RunResult, Status } from '../../suites/result.ts';
import { defaultPace } from '../../suites/target/target.ts';
import { awaitsRefusal } from '../../suites/verdict.ts';
import { combineDefects, type DefectId } from '../mutations/defects/index.ts';
import { skippingTimer } from '../skipping-timer.ts';
import { inProcess } from '../stub-target.ts';

/** Result of one run against a stub with a defect; null stands for the stub without defects. */
export interface Observation {
  readonly defect: DefectId | null;
  /** Status of each requirement that did not pass, except those that need a refusal by a rule of the service. */
  readonly outcomes: Readonly<Record<string, Exclude<Status, 'passed'>>>;
  readonly imagesDispatched: number;
}

/**
 * With a defect, a key may stay over its rate limit, and the kit would wait for it. Longer waits show nothing new:
 * requirements that need the key are errored.
 */
const pace = { ...defaultPace, maxWaitSeconds: 1 };

/** Only the kit advances this clock, so results do not depend on the speed of a run. */
const standing = (now: number) => ({ now: () => now });

/** Number of generated requests without a defect. They must not fail any requirement. */
const exploring = 1000;

/** Runs the complete kit in this thread against a separate stub with these defects. */
export async function runWith(chosen: readonly DefectId[], explore = 0): Promise<{ stub: Stub; result: RunResult }> {
  // The rate limit is high enough for every request of a run.
  const options = { seed: 1, clock: standing(Date.now()), rateLimit: 3000 };
  const stub = createStub({ ...options, deviation: combineDefects(chosen) });
  // The kit's own waits end at once and do not advance the stub's clock.
  const timer = skippingTimer(() => undefined);
  const result = await audit(inProcess(stub, { pace, shape: '1:1' }), { seed: 1, timer, observe: false, explore });
  return { stub, result };
}

/** Observes a run with one defect, or without any. */
export async function observe(defect: DefectId | null): Promise<Observation> {
  const { stub, result } = await (defect === null ? runWith([], exploring) : runWith([defect]));
  const outcomes = result.requirements.flatMap((each) =>
    each.status === 'passed' || awaitsRefusal(each) ? [] : [[each.id, each.status] as const],
  );
  return { defect, outcomes: Object.fromEntries(outcomes), imagesDispatched: stub.stats.imagesDispatched };
}
