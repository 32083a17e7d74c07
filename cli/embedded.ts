import type { Reference } from '../reports/html/reference.ts';
import type { KnownTarget } from '../suites/target/load.ts';
import type { Target } from '../suites/target.ts';

/** Requests per minute and key. A whole run can take less than a minute, so this is more than a run sends. */
const roomForRun = 3000;

/** The embedded stub as a target. Loads the stub on demand. */
export async function embedded(seed: number, rateLimit = roomForRun): Promise<KnownTarget> {
  const [{ createStub }, { embeddedTarget }] = await Promise.all([
    import('../stub/index.ts'),
    import('../suites/target/embedded.ts'),
  ]);
  return embeddedTarget(createStub({ seed, rateLimit }));
}

/** The responses of the stub to requests that were sent to a target. */
export async function reference({ baseUrl, workspaces, keys }: Target): Promise<Reference> {
  const { createReference } = await import('../stub/reference.ts');
  return createReference({ baseUrl, workspaces, otherAccount: keys.otherAccount });
}
