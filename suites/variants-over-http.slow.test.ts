import { expect, test } from 'vitest';
import { createStub } from '../stub/index.ts';
import { combineVariants, type VariantName } from '../test/mutations/variants.ts';
import { overHttp } from '../test/stub-target.ts';
import { expectHonest } from '../test/variant-run.ts';
import { audit } from './engine/audit.ts';
import type { RunResult } from './result.ts';
import { defaultPace, type Target } from './target/target.ts';

async function runOverHttp(
  variants: readonly VariantName[],
  more: Partial<Target> = {},
  only?: readonly string[],
): Promise<RunResult> {
  // The high limit prevents waits for the rate limit.
  await using stub = createStub({ deviation: combineVariants(variants), rateLimit: 3000 });
  const { baseUrl } = await stub.listen();
  return await audit(overHttp(stub, baseUrl, more), { seed: 1, ...(only === undefined ? {} : { only }) });
}

/** Variants of HTTP. The third server has others, such as chunks and closed connections. */
const variants = [
  ...(['path-prefix', 'with-charset', 'pretty-printed'] as const),
  ...(['jitter', 'changing-orders', 'changing-extras'] as const),
];

test('unusual HTTP is blamed for nothing, and nothing is left open', async () => {
  const result = await runOverHttp(variants);
  expectHonest(result, variants);
  const untested = result.requirements.filter(({ status }) => status === 'not-tested');
  expect(untested.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
});

test('a cap that no burst meets leaves its requirements open, with the setting that would help', async () => {
  const result = await runOverHttp(['huge-cap'], { pace: { ...defaultPace, maxBurst: 300 } }, [
    'rate-limit',
    'credits',
  ]);
  expectHonest(result, ['huge-cap']);
  const limited = result.requirements.filter(({ topic }) => topic === 'rate-limit');
  for (const requirement of limited) {
    expect(requirement).toMatchObject({
      status: 'not-tested',
      missing: [{ kind: 'setting', setting: 'pace.maxBurst' }],
    });
  }
  expect(result.complete).toBe(false);
});
