import { expect, test } from 'vitest';
import { preferred, strangeness } from './assign.ts';

const primary = { variable: 'PRIMARY_K', key: 'a' };
const defaulted = { variable: 'DEFAULTED_K', key: 'b' };

test('a role at the start of a variable name decides between keys that behave alike', () => {
  expect(preferred([primary, defaulted], 'defaulted')).toBe(defaulted);
  expect(preferred([defaulted, primary], 'primary')).toBe(primary);
});

test('the last role in a variable name counts', () => {
  expect(strangeness({ variable: 'SOLE_PRIMARY', key: 'c' }, 'primary')).toBe(0);
  expect(strangeness({ variable: 'SOLE_PRIMARY', key: 'c' }, 'sole')).toBe(2);
});
