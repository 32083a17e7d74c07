import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UsageError } from '../usage/usage-error.ts';
import { matchesGlob, requiredIds, selectRequirements, splitPatterns } from './selection.ts';

const requirements = [
  { id: 'headers.beta', topic: 'headers' },
  { id: 'headers.tool-error', topic: 'headers' },
  { id: 'race.one-dispatches', topic: 'race' },
];
const ids = (selected: readonly { id: string }[]) => selected.map(({ id }) => id);

test.each([
  [undefined, undefined, ['headers.beta', 'headers.tool-error', 'race.one-dispatches']],
  [['headers'], undefined, ['headers.beta', 'headers.tool-error']],
  [['headers.b*'], undefined, ['headers.beta']],
  [['*e?a'], undefined, ['headers.beta']],
  [['race.one-dispatches', 'headers.beta'], undefined, ['headers.beta', 'race.one-dispatches']],
  [undefined, ['headers'], ['race.one-dispatches']],
  [['headers'], ['*.tool-error'], ['headers.beta']],
  [['headers'], ['race'], ['headers.beta', 'headers.tool-error']],
])('only %j, skip %j', (only, skip, expected) => {
  expect(ids(selectRequirements(requirements, only, skip))).toEqual(expected);
});

test.each([
  [['header'], undefined, "--only: 'header' selects no requirement; did you mean 'headers'?"],
  [undefined, ['raec.*'], "--skip: 'raec.*' selects no requirement; did you mean 'race.*'?"],
  [['headersXbeta'], undefined, "--only: 'headersXbeta' selects no requirement; did you mean 'headers.beta'?"],
  [['quite-another-thing'], undefined, "--only: 'quite-another-thing' selects no requirement; tck list shows them all"],
  [['race'], ['race'], '--skip: leaves no requirement to test'],
  [['headers.bet(a'], undefined, "--only: 'headers.bet(a' selects no requirement; did you mean 'headers.beta'?"],
])('only %j, skip %j is refused', (only, skip, message) => {
  expect(() => selectRequirements(requirements, only, skip)).toThrow(new UsageError(message));
});

test('requirements to be tested are named by patterns or by all', () => {
  expect(requiredIds(requirements, undefined).size).toBe(0);
  expect(requiredIds(requirements, ['all']).size).toBe(3);
  expect([...requiredIds(requirements, ['all'], new Set(['race.one-dispatches']))]).toEqual(['race.one-dispatches']);
  expect([...requiredIds(requirements, ['race'])]).toEqual(['race.one-dispatches']);
  expect(() => requiredIds(requirements, ['all', 'race'])).toThrow(UsageError);
  expect(() => requiredIds(requirements, ['al'])).toThrow(UsageError);
});

test('patterns stand between commas', () => {
  expect(splitPatterns(undefined, '--only')).toBeUndefined();
  expect(splitPatterns(['a, b', 'c'], '--only')).toEqual(['a', 'b', 'c']);
  expect(() => splitPatterns(['a,'], '--only')).toThrow('--only: expected patterns');
  expect(() => splitPatterns([''], '--only')).toThrow('--only: expected patterns');
});

test.each([
  ['stars', `${'*'.repeat(100_000)}x`],
  ['stars and letters', `${'*e'.repeat(50_000)}x`],
  ['commas', ','.repeat(100_000)],
  ['letters', 'x'.repeat(100_000)],
])('a pattern of many %s is judged at once', (_, pattern) => {
  const judged = () => selectRequirements(requirements, splitPatterns([pattern], '--only'), undefined);
  expect(judged).toThrow(UsageError);
  expect(judged).toThrow(/^--only: .{0,290}$/s);
});

test('a pattern of many stars that selects something is judged at once', () => {
  const only = [`${'*'.repeat(100_000)}.beta`];
  expect(ids(selectRequirements(requirements, splitPatterns(only, '--only'), undefined))).toEqual(['headers.beta']);
});

/** Reference implementation with a regular expression, which is simple but backtracks. */
function matchesSlowly(glob: string, text: string): boolean {
  const source = glob.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(text);
}

test('a glob matches what the regular expression for it matches', () => {
  const letters = (...units: string[]) => fc.string({ unit: fc.constantFrom(...units), maxLength: 12 });
  const pairs = fc.property(letters('a', 'b', '.', '*', '?'), letters('a', 'b', '.'), (glob, text) => {
    expect(matchesGlob(glob, text)).toBe(matchesSlowly(glob, text));
  });
  fc.assert(pairs, { numRuns: 3000 });
});
