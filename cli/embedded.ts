import type { KnownTarget } from '../suites/target/load.ts';

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
