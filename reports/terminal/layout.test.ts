import { expect, test } from 'vitest';
import { lookOf } from './layout.ts';

const terminal = { isTTY: true, columns: 90 };

test('a terminal has its width and colors', () => {
  expect(lookOf(terminal, {})).toEqual({ isTTY: true, width: 90, color: true });
});

test('a very wide terminal is not used to its end', () => {
  expect(lookOf({ isTTY: true, columns: 400 }, {}).width).toBe(120);
});

test('NO_COLOR takes the colors, not the live display; set to nothing it does nothing', () => {
  expect(lookOf(terminal, { NO_COLOR: '1' })).toMatchObject({ isTTY: true, color: false });
  expect(lookOf(terminal, { NO_COLOR: '' }).color).toBe(true);
});

test('a terminal without a size is taken for a usual one; a pipe and a dumb terminal get plain lines', () => {
  expect(lookOf({}, {})).toEqual({ isTTY: false, width: 100, color: false });
  expect(lookOf({ isTTY: true, columns: 0 }, {}).width).toBe(100);
  expect(lookOf(terminal, { TERM: 'dumb' })).toMatchObject({ isTTY: false, color: false });
});
