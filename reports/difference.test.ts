import { expect, test } from 'vitest';
import { difference, type Piece } from './difference.ts';

const shown = (pieces: Piece[]) => pieces.map(({ text, differs }) => (differs ? `[${text}]` : text)).join('');

test.each([
  [
    'status 401 for every tool',
    'status 403 for every tool',
    'status [401] for every tool',
    'status [403] for every tool',
  ],
  ['ok false', 'ok false and a run id', 'ok false', 'ok false[ and a run id]'],
  // Texts with hardly anything in common are not marked.
  ['no key', 'a body of 17 bytes', 'no key', 'a body of 17 bytes'],
  // Marks with nothing but punctuation between them are one.
  ['code 4, `a.b` here', 'code 2, `true` here', 'code [4, `a.b]` here', 'code [2, `true]` here'],
])('the words that differ are marked: %s / %s', (one, other, expected, actual) => {
  const marked = difference(one, other);
  expect([shown(marked.expected), shown(marked.actual)]).toEqual([expected, actual]);
});

test('long texts are not marked, and the pieces put together are the texts', () => {
  const long = 'word '.repeat(2000);
  expect(difference(long, `${long}x`).actual).toEqual([{ text: `${long}x`, differs: false }]);
  const { expected, actual } = difference('a  b\nc', 'a  x\nc d');
  expect([expected, actual].map((pieces) => pieces.map(({ text }) => text).join(''))).toEqual(['a  b\nc', 'a  x\nc d']);
});
