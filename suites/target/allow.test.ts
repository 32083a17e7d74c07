import { expect, test } from 'vitest';
import { parseAllow } from './open.ts';

test.each([
  ['all', ['proposals', 'writes', 'spending', 'throttling', 'waiting']],
  ['none', []],
  ['writes, proposals', ['proposals', 'writes']],
  ['spending,spending', ['spending']],
])('%j allows %j', (text, allowed) => {
  expect(parseAllow(text)).toEqual(allowed);
});

test.each([
  ['', "got ''"],
  ['spendign', "got 'spendign'; did you mean 'spending'?"],
  ['writes,', "got ''"],
  ['all,writes', "--allow: expected 'all' alone"],
  ['constructor', "got 'constructor'"],
])('%j is refused', (text, message) => {
  expect(() => parseAllow(text)).toThrow(message);
});
