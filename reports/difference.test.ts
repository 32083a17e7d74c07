import { expect, test } from 'vitest';
import { difference, type Piece } from './difference.ts';

const shown = (pieces: Piece[]) => pieces.map(({ text, differs }) => (differs ? `[${text}]` : text)).join('');

test('the words that differ are marked on both sides', () => {
  const { expected, actual } = difference('status 401 for every tool', 'status 403 for every tool');
  expect(shown(expected)).toBe('status [401] for every tool');
  expect(shown(actual)).toBe('status [403] for every tool');
});

test('what one side has more is marked there only', () => {
  const { expected, actual } = difference('ok false', 'ok false and a run id');
  expect(shown(expected)).toBe('ok false');
  expect(shown(actual)).toBe('ok false[ and a run id]');
});

test('texts with hardly anything in common, and long ones, are not marked', () => {
  expect(shown(difference('no key', 'a body of 17 bytes').actual)).toBe('a body of 17 bytes');
  const long = 'word '.repeat(2000);
  expect(difference(long, `${long}x`).actual).toEqual([{ text: `${long}x`, differs: false }]);
});

test('the pieces put together are the texts', () => {
  const { expected, actual } = difference('a  b\nc', 'a  x\nc d');
  expect(expected.map((piece) => piece.text).join('')).toBe('a  b\nc');
  expect(actual.map((piece) => piece.text).join('')).toBe('a  x\nc d');
});

test('marks with nothing but punctuation between them are one', () => {
  const { actual } = difference('status 400, code `a.b` here', 'status 200, ok `true` here');
  expect(shown(actual)).toBe('status [200, ok `true]` here');
});
