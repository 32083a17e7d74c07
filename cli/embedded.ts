import type { Reference } from '../reports/html/reference.ts';
import type { KnownTarget } from '../suites/target/load.ts';
import type { Target } from '../suites/target.ts';

/**
 * The embedded stub as a target. The stub is loaded only where it is needed.
 * @param rateLimit requests per minute and key; the default of the stub where absent
 */
export async function embedded(seed: number, rateLimit?: number): Promise<KnownTarget> {
  const [{ createStub }, { embeddedTarget }] = await Promise.all([
    import('../stub/index.ts'),
    import('../suites/target/embedded.ts'),
  ]);
  return embeddedTarget(createStub(rateLimit === undefined ? { seed } : { seed, rateLimit }));
}

/** What the stub responds to requests that were sent to a target. */
export async function reference({ baseUrl, workspaces, keys }: Target): Promise<Reference> {
  const { createReference } = await import('../stub/reference.ts');
  return createReference({ baseUrl, workspaces, otherAccount: keys.otherAccount });
}
