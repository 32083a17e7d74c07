import { expect, test } from 'vitest';
import { chooseRandomly, type VariantName, variantNames } from '../test/mutations/variants.ts';
import { expectHonest, runWith } from '../test/variant-run.ts';

/** Variants that show less than the whole contract, so that the kit leaves requirements untested. */
const showingLess: readonly VariantName[] = [
  'unreachable-as-invalid-arguments',
  'unreachable-without-choices',
  'status-needs-a-period',
  'empty-library',
  'short-queries',
  'one-image-at-a-time',
  'two-images-at-least',
  'no-hits',
  'huge-cap',
  'few-keys',
  'one-key',
];

test.each(variantNames)(
  '%s is blamed for nothing, by generated requests neither',
  async (name) => {
    const result = await runWith([name], true, 300);
    expectHonest(result, [name]);
    // With a small rate limit, jitter or other clients, the load of the machine decides which requests overlap.
    if (['small-cap', 'jitter', 'busy-account'].includes(name)) return;
    const untested = result.requirements.filter(({ status }) => status === 'not-tested');
    const reasons = untested.map(({ id, reason }) => `${id}: ${reason}`).join('; ');
    expect(result.complete, reasons).toBe(!showingLess.includes(name));
  },
  120_000,
);

test.each([1, 2, 3, 4, 5, 6])('the random variants of seed %i are blamed for nothing', async (seed) => {
  const mixture = chooseRandomly(seed);
  expect(mixture.length).toBeGreaterThan(20);
  expectHonest(await runWith(mixture, true), mixture);
});
