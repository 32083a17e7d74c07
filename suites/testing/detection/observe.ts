import { createStub } from '../../../stub/index.ts';
import { argumentDefects } from '../../../stub/variants/defects/boundary/arguments.ts';
import type { DefectId } from '../../../stub/variants/defects/index.ts';
import { combineDefects } from '../../../stub/variants/defects/index.ts';
import { auditChecks } from '../../engine/audit.ts';
import type { Status } from '../../result.ts';
import { defaultPace } from '../../target.ts';
import { skippingTimer } from '../skipping-timer.ts';
import { inProcess } from '../stub-target.ts';

/** What one run of the kit said of a stub, and of which defect; null for the stub as it is. */
export interface Observation {
  readonly defect: DefectId | null;
  /** Requirements that did not pass, with how they ended, sorted by id. */
  readonly outcomes: Readonly<Record<string, Exclude<Status, 'passed'>>>;
  /** Checks that failed, each with its requirement: several checks may prove one. */
  readonly failedChecks: readonly string[];
  readonly durationMs: number;
}

/**
 * A defect may leave a key over its cap, and the kit would wait until it is served again. More patience than this shows nothing new:
 * what needs it is errored.
 */
const pace = { ...defaultPace, maxWaitSeconds: 1 };

/** Time passes only where the kit moves it, so that nothing depends on how fast a run is. */
const standing = (now: number) => ({ now: () => now });

/** Defects that only calls drawn by chance find; what else those find is each defect's own business. */
const foundByChance = (defect: DefectId | null) => defect === null || Object.hasOwn(argumentDefects, defect);

/** A check among those of its requirement. */
export const nameOf = (requirement: string, title: string): string => `${requirement}: ${title}`;

/** Runs the whole kit, in this thread, against a stub of its own with one defect or with none. */
export async function observe(defect: DefectId | null): Promise<Observation> {
  const startedAt = performance.now();
  const stub = createStub({
    seed: 1,
    clock: standing(Date.now()),
    // Room under the cap for all that is drawn.
    ...(foundByChance(defect) ? { rateLimit: 2000 } : {}),
    ...(defect === null ? {} : { deviation: combineDefects([defect]) }),
  });
  const { result, outcomes: checks } = await auditChecks(inProcess(stub, { pace, shape: '1:1' }), {
    seed: 1,
    // The kit's own waits pass at once, and leave the stub's clock alone.
    timer: skippingTimer(() => undefined),
    observe: false,
    fuzz: foundByChance(defect) ? 400 : 0,
  });
  const outcomes = result.requirements.flatMap(({ id, status }) =>
    status === 'passed' ? [] : [[id, status] as const],
  );
  const failedChecks = checks.flatMap(({ check: { requirement, title }, status }) =>
    status === 'failed' ? [nameOf(requirement, title)] : [],
  );
  return {
    defect,
    outcomes: Object.fromEntries(outcomes),
    failedChecks,
    durationMs: performance.now() - startedAt,
  };
}
