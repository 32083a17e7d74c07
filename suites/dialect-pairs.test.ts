import { expect, test } from 'vitest';
import { agree, type DialectName, dialectNames, hostileMixture } from '../fixtures/dialects.ts';
import { seededRandom } from '../fixtures/world/seeded.ts';
import { expectHonest, runWith } from './testing/dialect-run.ts';

/** Pairs of dialects that agree, each dialect as often as any other and with partners by chance. */
function pairsBySeed(seed: number, count: number): [DialectName, DialectName][] {
  const random = seededRandom(seed);
  const pairs = new Map<string, [DialectName, DialectName]>();
  for (let turn = 0; pairs.size < count; turn += 1) {
    const one = dialectNames[turn % dialectNames.length];
    const other = dialectNames[Math.floor(random() * dialectNames.length)];
    if (one === undefined || other === undefined || !agree(one, other)) continue;
    const pair = [one, other].sort() as [DialectName, DialectName]; // sorting keeps the length
    pairs.set(pair.join(), pair);
  }
  return [...pairs.values()];
}

const pairs = pairsBySeed(1, 200);

test('the pairs are 200, all different', () => {
  expect(new Set(pairs.map((pair) => pair.join())).size).toBe(200);
});

test.concurrent.each(pairs)('%s and %s are blamed for nothing', async (...pair) => {
  expectHonest(await runWith(pair, false), pair);
});

test.concurrent.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
  'the hostile mixture of seed %i is blamed for nothing',
  async (seed) => {
    const mixture = hostileMixture(seededRandom(seed));
    expect(mixture.length).toBeGreaterThan(20);
    expectHonest(await runWith(mixture, true), mixture);
  },
);
