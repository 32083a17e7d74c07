import { expect, test } from 'vitest';
import type { Status } from '../../suites/result.ts';
import { aFailure, aFinding, aRequirement, aRun, notTested } from '../../test/reports/results.ts';
import { causeChange, causeRows } from './cause-rows.ts';

const statesOf = (...runs: Parameters<typeof causeRows>[0][number][]) => causeRows(runs).map(({ states }) => states);

test('a cause is there, accepted, absent or not tested in each run', () => {
  const known = aRequirement('headers.beta', { status: 'known-failure' satisfies Status, findings: [aFinding()] });
  expect(
    statesOf(
      aRun([aRequirement('headers.beta')]),
      aRun([aFailure('headers.beta')]),
      aRun([known]),
      aRun([notTested('headers.beta', 'no key', [])]),
      aRun([]),
    ),
  ).toEqual([['absent', 'there', 'known', 'not-tested', 'not-tested']]);
});

test('a cause keeps its row, and a second one of its requirement has a row of its own', () => {
  const failing = (...actual: string[]) =>
    aRun([
      aRequirement('headers.beta', {
        findings: actual.map((text) => aFinding({ actual: text, hint: text, expected: `not ${text}` })),
      }),
    ]);
  const rows = causeRows([failing('no header'), failing('a body of text', 'no header'), failing('no header')]);
  expect(rows.map(({ states }) => states)).toEqual([
    ['there', 'there', 'there'],
    ['absent', 'there', 'absent'],
  ]);
});

test('what became of a cause depends on what each run tested', () => {
  expect(causeChange('absent', 'there')).toBe('added');
  expect(causeChange('not-tested', 'there')).toBe('revealed');
  expect(causeChange('there', 'known')).toBe('remaining');
  expect(causeChange('there', 'absent')).toBe('gone');
  expect(causeChange('there', 'not-tested')).toBe('untested');
  expect(causeChange('absent', 'not-tested')).toBeNull();
});
