import { expect, test } from 'vitest';
import { seededIds } from './random.ts';

function given(seed: number, count: number): string[] {
  const ids = seededIds(seed);
  return Array.from({ length: count }, () => ids.next('run'));
}

test('identifiers look arbitrary, never come twice, and are the same for the same seed', () => {
  const ids = given(1, 100_000);
  const distinct = new Set(ids);
  expect(distinct.size).toBe(ids.length);
  expect(given(1, 100)).toEqual(ids.slice(0, 100));
  expect(given(2, 100).filter((id) => distinct.has(id))).toEqual([]);
  for (const id of ids.slice(0, 100)) expect(id).toMatch(/^run_[0-9a-f]{20}$/);
});
