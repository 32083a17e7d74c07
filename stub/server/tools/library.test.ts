import { expect, test } from 'vitest';
import { clientOf } from '../../../test/stub/client.ts';
import { createStub } from '../../index.ts';

const stub = createStub();
const call = clientOf(stub);

test('an empty query, and none, give the latest items, and say that there are more', () => {
  const all = call('library.search', { query: '' }).body;
  expect(all.items).toHaveLength(20);
  expect(all).toMatchObject({ truncated: true, total: expect.any(Number) });
  expect(all.total).toBeGreaterThan(20);
  expect(call('library.search').body).toEqual(all);
});

test('words narrow the search, in any case and order', () => {
  const [first] = call('library.search', { query: '' }).body.items;
  const query = first.title.split(' ').reverse().join('  ').toUpperCase();
  const found = call('library.search', { query }).body;
  expect(found.items).toContainEqual(first);
  expect(found.total).toBe(found.items.length);
  expect(found.truncated).toBe(false);
  expect(call('library.search', { query: 'no such thing anywhere' }).body).toMatchObject({ total: 0, items: [] });
});

test('knowledge echoes the question and puts the strongest hit first', () => {
  const [passage] = call('knowledge.search', { query: 'anything' }).body.hits;
  const { query, hits } = call('knowledge.search', { query: ` ${passage.excerpt}\n` }).body;
  expect(query).toBe(` ${passage.excerpt}\n`);
  expect(hits[0].excerpt).toBe(passage.excerpt);
  const relevances = hits.map((hit: { relevance: number }) => hit.relevance);
  expect(relevances).toEqual(relevances.toSorted((a: number, b: number) => b - a));
});
