import { expect, test } from 'vitest';
import { agree, chooseRandomly, type VariantName, variantNames } from '../test/mutations/variants.ts';
import { expectHonest, runWith } from '../test/variant-run.ts';

/** Variants that show less than the whole contract, so that the kit leaves requirements untested. */
const showingLess: readonly VariantName[] = ['empty-library', 'one-image-at-a-time', 'no-hits', 'huge-cap', 'few-keys'];

/** Under load, a small rate limit and jitter decide which requests overlap. */
const hurried: readonly VariantName[] = ['small-cap', 'jitter'];

/** Most variants in one run. */
const mostTogether = 6;

/** Every variant once, with others that do not contradict it. Variants that show less stay alone. */
const groups: VariantName[][] = [];
for (const name of variantNames) {
  const group = groups.find(
    (others) =>
      others.length < mostTogether &&
      others.every(
        (other) =>
          agree(name, other) && !showingLess.includes(other) && hurried.includes(other) === hurried.includes(name),
      ),
  );
  if (group === undefined || showingLess.includes(name)) groups.push([name]);
  else group.push(name);
}

test.each(groups.map((group) => [group.join(' + '), group] as const))(
  '%s: blamed for nothing, by generated requests neither',
  async (_, group) => {
    const result = await runWith(group, true, 300);
    expectHonest(result, group);
    if (group.some((name) => hurried.includes(name))) return;
    const untested = result.requirements.filter(({ status }) => status === 'not-tested');
    const reasons = untested.map(({ id, reason }) => `${id}: ${reason}`).join('; ');
    expect(result.complete, reasons).toBe(!group.some((name) => showingLess.includes(name)));
  },
  120_000,
);

test.each([1, 2, 3])('the random variants of seed %i are blamed for nothing', async (seed) => {
  // The delays take long, and other tests have them.
  const mixture = chooseRandomly(seed).filter((name) => name !== 'jitter');
  expect(mixture.length).toBeGreaterThan(12);
  expectHonest(await runWith(mixture, true), mixture);
});
