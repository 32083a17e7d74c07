import { expect, test } from 'vitest';
import { withoutIds } from './invalid-ids.ts';

test.each([
  ['cnf_1 is not good', 'cnf_1', 'cnf_x is not good', 'cnf_x', true],
  ['30 is not good after 30 minutes', '30', 'cnf_x is not good after 30 minutes', 'cnf_x', true],
  ['30 is not good after 30 minutes', '30', '7 is not good after 30 minutes', '7', true],
  ['30 is not good after 30 minutes', '30', '31 is not good after 30 minutes', '31', true],
  ['Not good:\n30, after 30 minutes', '30', 'Not good:\n7, after 30 minutes', '7', true],
  ['it is not good: a+b (1)', 'a+b (1)', 'it is not good: [c]', '[c]', true],
  ['id-1-2 is not good', 'id-1-2', 'id-1 is not good', 'id-1', true],
  ['not good', '30', 'not good', '7', true],
  ['30 was used', '30', '7 was never issued', '7', false],
  ['cnf_1 is not good', 'cnf_1', 'it is not good', 'cnf_x', false],
  ['after 30 minutes', '3', 'after 70 minutes', '7', false],
  ['not good', '', 'never issued', '', false],
])('without their ids, %j (%j) and %j (%j) are the same: %s', (text, id, otherText, otherId, same) => {
  const without = withoutIds(id, otherId);
  expect(without(text) === without(otherText)).toBe(same);
});

test('a text of any length will do', () => {
  const long = 'x 30 '.repeat(1_000_000);
  expect(withoutIds('30', '7')(long)).toHaveLength(long.length + 1_000_000 * ('(the id)'.length - '30'.length));
});
