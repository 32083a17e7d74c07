import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { exitCodeOf } from './main.ts';

test('how a command ends becomes an exit code', async () => {
  const told = new PassThrough({ encoding: 'utf8' });
  expect(await exitCodeOf(async () => 1, told)).toBe(1);
  expect(await exitCodeOf(() => Promise.reject(new UsageError('--x: wrong')), told)).toBe(2);
  expect(told.read()).toBe('tck: --x: wrong\n');
  expect(await exitCodeOf(() => Promise.reject(new TypeError('oops')), told)).toBe(3);
  expect(told.read()).toMatch(/^tck: this is an internal error of the kit; please report it\nTypeError: oops\n {4}at /);
});

test.each([
  [Object.assign(new RangeError('too deep'), { stack: undefined }), /RangeError: too deep/],
  [undefined, /undefined was thrown/],
  ['a text', /'a text' was thrown/],
])('a fault without a stack says what it is: %j', async (thrown, words) => {
  const told = new PassThrough({ encoding: 'utf8' });
  expect(await exitCodeOf(() => Promise.reject(thrown), told)).toBe(3);
  expect(told.read()).toMatch(words);
});
