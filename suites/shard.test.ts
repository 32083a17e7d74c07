import { expect, test } from 'vitest';
import { coverage } from './coverage.ts';
import { requirements } from './requirements.ts';
import { parseShard, requirementsOfShard, type Shard } from './shard.ts';

const few = (['t.a', 't.b', 't.c', 't.d', 't.e'] as const).map((id) => ({ id }));
const idsOf = (shard: Shard, all?: Parameters<typeof requirementsOfShard>[2]) =>
  requirementsOfShard(few, shard, all).map(({ id }) => id);

test('shards share the requirements among them, and leave none out', () => {
  const ids = [1, 2, 3].map((index) => idsOf({ index, of: 3 }));
  expect(ids).toEqual([['t.a', 't.b'], ['t.c', 't.d'], ['t.e']]);
});

test('what belongs together stays together', () => {
  const all = [
    { requirement: 't.a', turn: undefined, needs: { effects: [], time: true } },
    { requirement: 't.d', turn: undefined, needs: { effects: ['spending' as const], time: false } },
    { requirement: 't.e', turn: undefined, needs: { effects: ['writes' as const], time: false } },
  ];
  expect([1, 2].map((index) => idsOf({ index, of: 2 }, all))).toEqual([
    ['t.a', 't.b', 't.d'],
    ['t.c', 't.e'],
  ]);
});

test.each([1, 2, 3, 4, 7])(
  'the kit in %i shards: everything once, and what disturbs or spends in one of them',
  (of) => {
    const shards = Array.from({ length: of }, (_, index) =>
      requirementsOfShard(requirements, { index: index + 1, of }),
    );
    expect(shards.flat().map(({ id }) => id)).toHaveLength(requirements.length);
    expect(new Set(shards.flat())).toEqual(new Set(requirements));
    for (const effect of ['spending', 'throttling', 'writes'] as const) {
      const ids: string[] = coverage
        .filter(({ needs }) => needs.effects.includes(effect))
        .map(({ requirement }) => requirement);
      const having = shards.filter((shard) => shard.some(({ id }) => ids.includes(id)));
      expect(having.length, effect).toBeLessThanOrEqual(effect === 'writes' ? 2 : 1);
    }
    const sizes = shards.map(({ length }) => length).sort((a, b) => a - b);
    if (of <= 3) expect((sizes.at(-1) ?? 0) - (sizes[0] ?? 0)).toBeLessThanOrEqual(1);
  },
);

test('a shard that has nothing to do is refused', () => {
  expect(() => idsOf({ index: 6, of: 6 })).toThrow('nothing is left for part 6 of 6');
});

test.each(['', '1', '0/3', '4/3', '1/0', 'a/b', '1/3/5', '-1/3', '1.5/3'])('%j is no part', (text) => {
  expect(() => parseShard(text)).toThrow('--shard: expected a part such as 1/3');
});

test('a part is read', () => {
  expect(parseShard('2/3')).toEqual({ index: 2, of: 3 });
});
