import { expect, test } from 'vitest';
import { forms } from './forms.ts';
import { leaksOf } from './leaks.ts';

const key = 'k-3y_aB/x+Zq&"0=~41!u0042@';
const leaks = leaksOf(key);

test.each(forms)('a key that stands $what is noticed', ({ of }) => {
  expect(leaks({ page: of(key) })).not.toEqual([]);
  expect(leaks({ page: JSON.stringify(JSON.stringify(of(key))) })).not.toEqual([]);
});

test('a text without the key is none of its leaks', () => {
  const texts = { page: JSON.stringify([forms.map(({ of }) => of('another-key-altogether')), key.slice(0, 11)]) };
  expect(leaks(texts)).toEqual([]);
});
