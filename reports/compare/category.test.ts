import { expect, test } from 'vitest';
import { categoryOf } from './category.ts';

test.each([
  ['passed', 'failed', 'regressions'],
  ['warned', 'failed', 'regressions'],
  ['passed', 'known-failure', 'otherFailures'],
  ['not-exercised', 'failed', 'otherFailures'],
  ['errored', 'failed', 'otherFailures'],
  [null, 'failed', 'otherFailures'],
  ['failed', 'failed', 'stillFailing'],
  ['known-failure', 'failed', 'stillFailing'],
  ['failed', 'known-failure', 'stillFailing'],
  ['failed', 'passed', 'fixes'],
  ['known-failure', 'warned', 'fixes'],
  ['passed', 'not-exercised', 'noLongerExercised'],
  ['failed', 'errored', 'noLongerExercised'],
  ['passed', null, 'noLongerExercised'],
  ['not-exercised', 'passed', 'newlyExercised'],
  [null, 'passed', 'newlyExercised'],
  ['passed', 'warned', 'advice'],
  ['warned', 'passed', 'advice'],
  ['passed', 'passed', null],
  ['warned', 'warned', null],
  ['not-exercised', 'errored', null],
  [null, null, null],
] as const)('%s, then %s: %s', (before, after, category) => {
  expect(categoryOf(before, after)).toBe(category);
});
