import { expect, test } from 'vitest';
import { causesOf } from '../../suites/causes/causes.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { aFailure, aRun } from '../../test/reports/results.ts';
import { chosenFindings } from './chosen.ts';

const report = aRun([
  aFailure('headers.beta-on-200', { expected: 'x-service-api: beta', actual: 'no header x-service-api' }),
  aFailure('credits.balance', { expected: 'balance to be a number', actual: 'balance "1"' }),
]);

test('a number chooses the cause that has it in the report', () => {
  const all = causesOf(report);
  expect(all).toHaveLength(2);
  for (const [place, cause] of all.entries()) {
    expect(chosenFindings(report, String(place + 1)).causes.map(({ title }) => title)).toEqual([cause.title]);
  }
});

test('a number that no cause has is refused, with how many there are', () => {
  expect(() => chosenFindings(report, '3')).toThrow(UsageError);
  expect(() => chosenFindings(report, '3')).toThrow('the report has no cause 3; it has 2 causes');
});
