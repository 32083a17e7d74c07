import { expect, test } from 'vitest';
import { aFailure, aRequirement, aRun, notTested } from '../test/reports/results.ts';
import { Changes } from './changes.ts';

const passing = aRequirement('schedule.days');
const failing = aFailure('schedule.days', { expected: 'seven days', actual: 'none' });
const errored = aRequirement('schedule.days', { status: 'errored', reason: 'no response' });
const other = aRequirement('library.search');

test('a run like the one before has no lines, and a difference has one', () => {
  const changes = new Changes();
  expect(changes.since(aRun([passing, other]))).toEqual(['Conformant, 2 of 2 tested']);
  expect(changes.since(aRun([passing, other]))).toEqual([]);
  expect(changes.since(aRun([failing, other]))).toEqual([
    'Non-conformant: 1 cause, 1 requirement failed, 2 of 2 tested',
    '✗ schedule.days: failed, was passed: expected seven days, got none',
  ]);
  expect(changes.since(aRun([failing, other]))).toEqual([]);
});

test('an outage is one line, and what failed before it is no change after it', () => {
  const changes = new Changes();
  changes.since(aRun([failing, other]));
  const outage = aRun([errored, notTested('library.search', 'the run did not reach the API', [])], {
    trouble: ['the target is unreachable'],
  });
  expect(changes.since(outage)).toEqual(['Inconclusive, 0 of 2 tested, 1 errored: the target is unreachable']);
  expect(changes.since(outage)).toEqual([]);
  expect(changes.since(aRun([failing, other]))).toEqual([
    'Non-conformant: 1 cause, 1 requirement failed, 2 of 2 tested',
  ]);
});

test('a requirement that a conclusive run no longer tests is a change', () => {
  const changes = new Changes();
  changes.since(aRun([passing, other]));
  expect(changes.since(aRun([passing, notTested('library.search', 'the library is empty', [])]))).toEqual([
    '· library.search: not tested, was passed: the library is empty',
  ]);
});

test('control characters in findings are not printed', () => {
  const changes = new Changes();
  changes.since(aRun([passing]));
  const lines = changes.since(aRun([aFailure('schedule.days', { actual: '\u001b[31mred\nnext' })]));
  expect(lines.join('')).not.toMatch(/\p{Cc}/u);
});
