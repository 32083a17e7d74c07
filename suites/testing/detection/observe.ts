import { createStub } from '../../../stub/index.ts';
import { argumentDefects } from '../../../stub/variants/defects/boundary/arguments.ts';
import type { DefectId } from '../../../stub/variants/defects/index.ts';
import { combineDefects } from '../../../stub/variants/defects/index.ts';
import { audit } from '../../engine/audit.ts';
import type { Status } from '../../result.ts';
import { defaultPace } from '../../target.ts';
import { skippingTimer } from '../skipping-timer.ts';
import { inProcess } from '../stub-target.ts';

/** What one run of the kit said of a stub, and of which defect; null for the stub as it is. */
export interface Observation {
  readonly defect: DefectId | null;
  /** Requirements that did not pass, with how they ended, sorted by id. */
  readonly outcomes: Readonly<Record<string, Exclude<Status, 'passed'>>>;
  readonly durationMs: number;
}

/**
 * A defect may leave a key over its cap, and the kit would wait until it is served again. More patience than this shows
 * nothing new: what needs it is errored.
 */
const pace = { ...defaultPace, maxWaitSeconds: 1 };

/** Time passes only where the kit moves it, so that nothing depends on how fast a run is. */
const standing = (now: number) => ({ now: () => now });

/** How many requests are generated for them. */
export const exploring = 1000;

/** Defects that generated requests find; what else those find is each defect's own business. */
const foundByExploring = (defect: DefectId | null) => defect === null || Object.hasOwn(argumentDefects, defect);

/** Runs the whole kit, in this thread, against a stub of its own with one defect or with none. */
export async function observe(defect: DefectId | null): Promise<Observation> {
  const startedAt = performance.now();
  const stub = createStub({
    seed: 1,
    clock: standing(Date.now()),
    // Room under the limit for every request of a run.
    rateLimit: 3000,
    ...(defect === null ? {} : { deviation: combineDefects([defect]) }),
  });
  const result = await audit(inProcess(stub, { pace, shape: '1:1' }), {
    seed: 1,
    // The kit's own waits pass at once, and leave the stub's clock alone.
    timer: skippingTimer(() => undefined),
    observe: false,
    explore: foundByExploring(defect) ? exploring : 0,
  });
  const outcomes = result.requirements.flatMap(({ id, status }) =>
    status === 'passed' ? [] : [[id, status] as const],
  );
  return {
    defect,
    outcomes: Object.fromEntries(outcomes),
    durationMs: performance.now() - startedAt,
  };
}
