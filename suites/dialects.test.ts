import { expect, test } from 'vitest';
import { type DialectName, dialectNames } from '../fixtures/dialects.ts';
import { expectHonest, runWith } from './testing/dialect-run.ts';

/** Where a server shows less than the whole contract, the kit says what it could not test. */
const showingLess: readonly DialectName[] = [
  'unreachable-as-invalid-arguments',
  'unreachable-without-choices',
  'status-needs-a-period',
  'empty-library',
  'one-image-at-a-time',
  'two-images-at-least',
  'no-hits',
  'huge-cap',
  'few-keys',
  'one-key',
];

test.concurrent.each(dialectNames)('%s is blamed for nothing', async (name) => {
  const result = await runWith([name], true);
  expectHonest(result, [name]);
  // How many calls a small cap lets through at once, which a race wants, depends on how busy the machine is.
  if (name !== 'small-cap') expect(result.complete).toBe(!showingLess.includes(name));
});
