import { expect, test } from 'vitest';
import { parseAllow } from './allow.ts';

test.each([
  ['all', ['proposals', 'writes', 'spending', 'throttling', 'waiting']],
  ['none', []],
  ['writes, proposals', ['proposals', 'writes']],
  ['spending,spending', ['spending']],
])('%j allows %j', (text, allowed) => {
  expect(parseAllow(text)).toEqual(allowed);
});

test.each([
  ['', "found ''"],
  ['spendign', "found 'spendign'; did you mean 'spending'?"],
  ['writes,', "found ''"],
  ['all,writes', "'all' stands alone"],
  ['constructor', "found 'constructor'"],
])('%j is refused', (text, message) => {
  expect(() => parseAllow(text)).toThrow(message);
});
