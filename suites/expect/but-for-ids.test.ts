import { expect, test } from 'vitest';
import { sameButForIds, withoutId } from './but-for-ids.ts';

test.each([
  ['cnf_1 is not good', 'cnf_1', 'cnf_x is not good', 'cnf_x', true],
  ['30 is not good after 30 minutes', '30', 'cnf_x is not good after 30 minutes', 'cnf_x', true],
  ['30 is not good after 30 minutes', '30', '7 is not good after 30 minutes', '7', true],
  ['30 is not good after 30 minutes', '30', '31 is not good after 30 minutes', '31', true],
  ['it is not good: a+b (1)', 'a+b (1)', 'it is not good: [c]', '[c]', true],
  ['not good', '30', 'not good', '7', true],
  ['30 was used', '30', '7 was never issued', '7', false],
  ['cnf_1 is not good', 'cnf_1', 'it is not good', 'cnf_x', false],
  ['after 30 minutes', '3', 'after 70 minutes', '7', false],
  ['', '', 'x', 'x', false],
])('%j with the id %j and %j with the id %j are the same: %s', (text, id, otherText, otherId, same) => {
  const [a, b] = [
    { text, id },
    { text: otherText, id: otherId },
  ];
  expect([sameButForIds(a, b), sameButForIds(b, a)]).toEqual([same, same]);
});

test('an id is taken out where it stands for itself', () => {
  expect(withoutId('3')('3 of 30, 3')).toBe('(the id) of 30, (the id)');
  expect(withoutId('')('as it is')).toBe('as it is');
});
