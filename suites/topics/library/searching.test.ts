import { expect, test } from 'vitest';
import { judgementOf, type Said } from '../../../test/history.ts';

const counting = (total: number, items: number, truncated = false): Said => ({
  tool: 'library.search',
  args: { query: '', workspace: 'north' },
  body: { ok: true, workspace: 'north', total, truncated, items: Array.from({ length: items }, () => ({})) },
});

const untruncated = 'total 2, the number of items, since truncated is false';
const earlier = '5 items, since an earlier response has as many or more';
test.each([
  ['library.total-covers-items', [counting(1, 2)], 'total of at least 2, the number of items', 'total 1'],
  ['library.untruncated-is-all', [counting(5, 2)], untruncated, 'total 5 and 2 items'],
  ['library.total-counts-items', [counting(6, 6), counting(5, 2, true)], earlier, 'total 5 and 2 items'],
] as const)('a wrong total: %s', (id, said, expected, actual) =>
  expect(judgementOf(id, said).findings).toMatchObject([{ expected, actual }]),
);
