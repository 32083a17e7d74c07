import { expect, test } from 'vitest';
import { parseShard, requirementsOfShard } from './shard.ts';

const requirements = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }));

test('shards share the requirements among them, and leave none out', () => {
  const ids = [1, 2, 3].map((index) => requirementsOfShard(requirements, { index, of: 3 }).map(({ id }) => id));
  expect(ids).toEqual([['a', 'd'], ['b', 'e'], ['c']]);
});

test('a shard that has nothing to do is refused', () => {
  expect(() => requirementsOfShard(requirements, { index: 6, of: 6 })).toThrow('nothing is left for part 6 of 6');
});

test.each(['', '1', '0/3', '4/3', '1/0', 'a/b', '1/3/5', '-1/3', '1.5/3'])('%j is no part', (text) => {
  expect(() => parseShard(text)).toThrow('--shard: expected a part such as 1/3');
});

test('a part is read', () => {
  expect(parseShard('2/3')).toEqual({ index: 2, of: 3 });
});
