import { expect, test } from 'vitest';
import { lookOf } from './layout.ts';

const terminal = { isTTY: true, columns: 90 };

test.each([
  ['a terminal', terminal, {}, { isTTY: true, width: 90, color: true }],
  ['a very wide terminal', { isTTY: true, columns: 400 }, {}, { isTTY: true, width: 120, color: true }],
  ['a terminal without a size', { isTTY: true, columns: 0 }, {}, { isTTY: true, width: 100, color: true }],
  ['NO_COLOR', terminal, { NO_COLOR: '1' }, { isTTY: true, width: 90, color: false }],
  ['NO_COLOR without a value', terminal, { NO_COLOR: '' }, { isTTY: true, width: 90, color: true }],
  ['a dumb terminal', terminal, { TERM: 'dumb' }, { isTTY: false, width: 100, color: false }],
  ['a pipe', {}, {}, { isTTY: false, width: 100, color: false }],
])('width and colors of %s', (_, screen, env, look) => {
  expect(lookOf(screen, env)).toEqual(look);
});
