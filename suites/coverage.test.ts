import { expect, test } from 'vitest';
import { coverage, requirements } from './requirements.ts';

test('every requirement has a story, and every story a requirement', () => {
  const proven = new Set<string>(coverage.map(({ requirement }) => requirement));
  expect(requirements.map(({ id }) => id).filter((id) => !proven.has(id))).toEqual([]);
  const known = new Set<string>(requirements.map(({ id }) => id));
  expect([...proven].filter((id) => !known.has(id))).toEqual([]);
});

test('whatever confirms may also propose', () => {
  for (const { needs } of coverage)
    if (needs.effects.includes('spending')) expect(needs.effects).toContain('proposals');
});
