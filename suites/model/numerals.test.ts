import { expect, test } from 'vitest';
import { inWords } from './numerals.ts';

test.each([
  [0, 'zero'],
  [10, 'ten'],
  [19, 'nineteen'],
  [30, 'thirty'],
  [45, 'forty-five'],
])('%i is %s', (count, words) => {
  expect(inWords(count)).toBe(words);
});
