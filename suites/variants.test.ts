import { expect, test } from 'vitest';
import { type VariantName, variantNames } from '../test/mutations/variants.ts';
import { expectHonest, runWith } from '../test/variant-run.ts';
import { isTriedWhole } from '../test/whole.ts';

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

/** `TCK_WHOLE=variants` tries every variant; other runs try a sample. */
const tried = variantNames.filter((_, index) => isTriedWhole('variants') || index % 18 === 1);

test.concurrent.each(tried)(
  '%s is blamed for nothing',
  async (name) => {
    const result = await runWith([name], true);
    expectHonest(result, [name]);
    // With a small rate limit, jitter or other clients, the load of the machine decides which requests overlap.
    if (['small-cap', 'jitter', 'busy-account'].includes(name)) return;
    const untested = result.requirements.filter(({ status }) => status === 'not-tested');
    const reasons = untested.map(({ id, reason }) => `${id}: ${reason}`).join('; ');
    expect(result.complete, reasons).toBe(!showingLess.includes(name));
  },
  120_000,
);

/** `TCK_WHOLE=all` tries every variant; other runs try a few. */
const every = isTriedWhole() ? 1 : isTriedWhole('slow') ? 16 : 48;
const explored = variantNames.filter((_, index) => index % every === 0);

test.concurrent.each(explored)('%s is blamed for nothing by generated requests', async (name) => {
  expectHonest(await runWith([name], false, 500), [name]);
});
