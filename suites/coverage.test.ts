import { expect, test } from 'vitest';
import { requirements } from '../fixtures/requirements/index.ts';
import { coverage } from './coverage.ts';

test('every requirement has a flow, and every flow a requirement', () => {
  const proven = new Set<string>(coverage.map(({ requirement }) => requirement));
  expect(requirements.map(({ id }) => id).filter((id) => !proven.has(id))).toEqual([]);
  const known = new Set<string>(requirements.map(({ id }) => id));
  expect([...proven].filter((id) => !known.has(id))).toEqual([]);
});

test('whatever confirms may also propose', () => {
  for (const { needs } of coverage)
    if (needs.effects.includes('spending')) expect(needs.effects).toContain('proposals');
});
