import { expect, test } from 'vitest';
import { createConfirmations } from './confirmations.ts';

const held = (id: string, issuedAt: number) => ({
  id,
  issuedAt,
  request: { board: 'b', brief: 'x', count: 1, shape: '1:1' },
  workspace: 'north',
  account: 'first',
  role: 'primary' as const,
  summary: 'One image.',
});

test('what was consumed is found no more', () => {
  const confirmations = createConfirmations();
  confirmations.issue(held('a', 0));
  expect(confirmations.find('a')).toMatchObject({ id: 'a' });
  confirmations.consume('a');
  expect(confirmations.find('a')).toBeUndefined();
});

test('what is too old is forgotten, and nothing else', () => {
  const confirmations = createConfirmations();
  for (const [id, issuedAt] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ] as const)
    confirmations.issue(held(id, issuedAt));
  confirmations.forgetBefore(3);
  expect(['a', 'b', 'c'].map((id) => confirmations.find(id)?.id)).toEqual([undefined, undefined, 'c']);
});
