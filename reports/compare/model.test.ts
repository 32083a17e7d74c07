import { expect, test } from 'vitest';
import { aFailure, aRequirement, aRun, notTested } from '../../test/reports/results.ts';
import { compareReports, exitCodeOfComparison } from './model.ts';

const ids = (changes: { id: string }[]) => changes.map(({ id }) => id);

test('requirements are compared by id, in the order of the specification', () => {
  const before = aRun([
    aRequirement('headers.beta'),
    aRequirement('bodies.text'),
    aFailure('credits.balance'),
    notTested('race.one', '', []),
    aRequirement('schedule.gone'),
  ]);
  const after = aRun([
    aFailure('bodies.text'),
    aFailure('headers.beta'),
    aRequirement('credits.balance'),
    aRequirement('race.one'),
    aFailure('library.new'),
  ]);
  const { changes } = compareReports(before, after);
  expect(ids(changes.regressions)).toEqual(['headers.beta', 'bodies.text']);
  expect(changes.regressions[0]).toMatchObject({
    before: 'passed',
    after: 'failed',
    finding: { actual: expect.any(String) },
  });
  expect(ids(changes.fixes)).toEqual(['credits.balance']);
  expect(ids(changes.newlyTested)).toEqual(['race.one']);
  expect(ids(changes.noLongerTested)).toEqual(['schedule.gone']);
  expect(ids(changes.otherFailures)).toEqual(['library.new']);
});

test('only a regression gives 1', () => {
  const good = aRun([aRequirement('headers.beta')]);
  const bad = aRun([aFailure('headers.beta')]);
  const unseen = aRun([notTested('headers.beta', '', [])]);
  expect(exitCodeOfComparison(compareReports(good, bad))).toBe(1);
  expect(exitCodeOfComparison(compareReports(bad, bad))).toBe(0);
  expect(exitCodeOfComparison(compareReports(unseen, bad))).toBe(0);
  expect(exitCodeOfComparison(compareReports(good, unseen))).toBe(0);
  expect(exitCodeOfComparison(compareReports(bad, good))).toBe(0);
});

function observed(id: string, values: unknown[], volatile?: boolean) {
  return { id, question: `${id}?`, values, exchanges: [], ...(volatile === undefined ? {} : { volatile }) };
}

test('an observation drifts where both runs have an answer and the answers are not the same', () => {
  const before = aRun([], {
    observations: [
      observed('a.changed', ['x']),
      observed('b.order', ['x', { p: 1, q: [2] }]),
      observed('c.times', [12], true),
      observed('d.unseen', []),
      observed('e.only-before', [1]),
    ],
  });
  const after = aRun([], {
    observations: [
      observed('a.changed', ['y']),
      observed('b.order', [{ q: [2], p: 1 }, 'x']),
      observed('c.times', [15], true),
      observed('d.unseen', [1]),
      observed('f.only-after', [1]),
    ],
  });
  expect(compareReports(before, after).observations).toEqual([
    { id: 'a.changed', question: 'a.changed?', before: ['x'], after: ['y'] },
  ]);
});

test('counts that changed are told, the others not', () => {
  const before = aRun([aRequirement('headers.beta')]);
  const after = aRun([aFailure('headers.beta')]);
  expect(compareReports(before, after).counts).toEqual([
    { name: 'passed', before: 1, after: 0 },
    { name: 'failed', before: 0, after: 1 },
  ]);
});
