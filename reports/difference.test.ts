import { expect, test } from 'vitest';
import { difference, type Piece } from './difference.ts';

const shown = (pieces: Piece[]) => pieces.map(({ text, differs }) => (differs ? `[${text}]` : text)).join('');

test.each([
  ['status 401 for each tool', 'status 403 for each tool', 'status [401] for each tool', 'status [403] for each tool'],
  ['ok false', 'ok false and a run id', 'ok false', 'ok false[ and a run id]'],
  // Texts with hardly anything in common are not marked.
  ['no key', 'a body of 17 bytes', 'no key', 'a body of 17 bytes'],
])('the words that differ are marked: %s / %s', (one, other, expected, actual) => {
  const marked = difference(one, other);
  expect([shown(marked.expected), shown(marked.actual)]).toEqual([expected, actual]);
});

test('the pieces put together are the texts', () => {
  const { expected, actual } = difference('a  b\nc', 'a  x\nc d');
  expect([expected, actual].map((pieces) => pieces.map(({ text }) => text).join(''))).toEqual(['a  b\nc', 'a  x\nc d']);
});
