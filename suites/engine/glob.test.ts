import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesGlob } from './selection.ts';

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
