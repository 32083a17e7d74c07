import { expect, test } from 'vitest';
import { categoryOf } from './category.ts';

test.each([
  ['passed', 'failed', 'regressions'],
  ['warned', 'failed', 'regressions'],
  ['passed', 'known-failure', 'otherFailures'],
  ['not-tested', 'failed', 'otherFailures'],
  ['errored', 'failed', 'otherFailures'],
  [null, 'failed', 'otherFailures'],
  ['failed', 'failed', 'stillFailing'],
  ['known-failure', 'failed', 'stillFailing'],
  ['failed', 'known-failure', 'stillFailing'],
  ['failed', 'passed', 'fixes'],
  ['known-failure', 'warned', 'fixes'],
  ['passed', 'not-tested', 'noLongerTested'],
  ['failed', 'errored', 'noLongerTested'],
  ['passed', null, 'noLongerTested'],
  ['not-tested', 'passed', 'newlyTested'],
  [null, 'passed', 'newlyTested'],
  ['passed', 'warned', 'advice'],
  ['warned', 'passed', 'advice'],
  ['passed', 'passed', null],
  ['warned', 'warned', null],
  ['not-tested', 'errored', null],
  [null, null, null],
] as const)('%s, then %s: %s', (before, after, category) => {
  expect(categoryOf(before, after)).toBe(category);
});
