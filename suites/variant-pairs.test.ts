import { expect, test } from 'vitest';
import { seededRandom } from '../fixtures/world/seeded.ts';
import { agree, chooseRandomly, type VariantName, variantNames } from '../test/mutations/variants.ts';
import { expectHonest, runWith } from '../test/variant-run.ts';
import { isTriedWhole } from '../test/whole.ts';

/** Pairs of compatible variants: each variant occurs equally often, with partners chosen by the seed. */
function pairsBySeed(seed: number, count: number): [VariantName, VariantName][] {
  const random = seededRandom(seed);
  const pairs = new Map<string, [VariantName, VariantName]>();
  for (let turn = 0; pairs.size < count; turn += 1) {
    const one = variantNames[turn % variantNames.length];
    const other = variantNames[Math.floor(random() * variantNames.length)];
    if (one === undefined || other === undefined || !agree(one, other)) continue;
    const pair = [one, other].sort() as [VariantName, VariantName]; // sorting keeps the length
    pairs.set(pair.join(), pair);
  }
  return [...pairs.values()];
}

/** 200 pairs with `TCK_WHOLE=all`. */
const count = isTriedWhole() ? 200 : 10;
const pairs = pairsBySeed(1, count);

test('the pairs are all different', () => {
  expect(new Set(pairs.map((pair) => pair.join())).size).toBe(count);
});

test.concurrent.each(pairs)('%s and %s are blamed for nothing', async (...pair) => {
  expectHonest(await runWith(pair, false), pair);
});

test.concurrent.each(isTriedWhole() ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] : [1, 2])(
  'the random variants of seed %i are blamed for nothing',
  async (seed) => {
    const mixture = chooseRandomly(seed);
    expect(mixture.length).toBeGreaterThan(20);
    expectHonest(await runWith(mixture, true), mixture);
  },
);
