import { expect, test } from 'vitest';
import { lookOf } from './layout.ts';

const terminal = { isTTY: true, columns: 90 };

test('a terminal has its width and colours', () => {
  expect(lookOf(terminal, {})).toEqual({ isTTY: true, width: 90, colour: true });
});

test('a very wide terminal is not used to its end', () => {
  expect(lookOf({ isTTY: true, columns: 400 }, {}).width).toBe(120);
});

test('NO_COLOR takes the colours, not the live display; set to nothing it does nothing', () => {
  expect(lookOf(terminal, { NO_COLOR: '1' })).toMatchObject({ isTTY: true, colour: false });
  expect(lookOf(terminal, { NO_COLOR: '' }).colour).toBe(true);
});

test('a terminal without a size is taken for a usual one; a pipe and a dumb terminal get plain lines', () => {
  expect(lookOf({}, {})).toEqual({ isTTY: false, width: 100, colour: false });
  expect(lookOf({ isTTY: true, columns: 0 }, {}).width).toBe(100);
  expect(lookOf(terminal, { TERM: 'dumb' })).toMatchObject({ isTTY: false, colour: false });
});
