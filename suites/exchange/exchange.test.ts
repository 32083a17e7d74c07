import { expect, test } from 'vitest';
import { answered } from '../../test/history.ts';
import { retryAfter } from './exchange.ts';

const seconds = (...values: string[]) =>
  retryAfter(answered({ status: 429, headers: values.map((value) => ['retry-after', value]) }));

test.each([
  ['1', 1],
  ['60', 60],
  ['007', 7],
  ['86400', 86_400],
])('%j asks to wait', (value, expected) => {
  expect(seconds(value)).toBe(expected);
});

test.each(['', '0', '-1', '1.5', '1e3', ' 1', '+1', '0x10', 'soon', 'Wed, 21 Oct 2026 07:28:00 GMT', '١'])(
  '%j is malformed',
  (value) => {
    expect(seconds(value)).toBeUndefined();
  },
);

test('absent, or there twice, it says nothing', () => {
  expect(seconds()).toBeUndefined();
  expect(seconds('1', '1')).toBeUndefined();
});
