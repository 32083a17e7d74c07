import { expect, test } from 'vitest';
import type { RunResult } from '../../suites/result.ts';
import { aFailure, aFinding, aRequirement, aRun, notTested } from '../../test/reports/results.ts';
import { changeOf, compareRuns, exitCodeOfComparison, rowsWith, toneOfComparison } from './model.ts';
import { renderComparison } from './terminal.ts';

const look = { color: false };
const good = aRun([aRequirement('headers.beta')]);
const bad = aRun([aFailure('headers.beta')]);
const unseen = aRun([notTested('headers.beta', 'not selected', [{ kind: 'selection' }])]);

const comparison = compareRuns([
  aRun([aRequirement('headers.beta'), aFailure('credits.balance'), aRequirement('race.one')]),
  aRun([aFailure('headers.beta'), aRequirement('credits.balance'), notTested('race.one', '', [])], {
    kit: { name: 'content-workspace-tck', version: '0.2.0' },
  }),
]);
const counts = '1 new cause, 1 fixed cause; 1 regression, 1 fixed, 1 no longer tested';

test.each([
  ['passed', 'failed', 'regression'],
  ['warned', 'failed', 'regression'],
  ['passed', 'known-failure', 'new failure'],
  ['not-tested', 'failed', 'new failure'],
  ['errored', 'failed', 'new failure'],
  [null, 'failed', 'new failure'],
  ['failed', 'failed', 'still failing'],
  ['known-failure', 'failed', 'still failing'],
  ['failed', 'passed', 'fixed'],
  ['known-failure', 'warned', 'fixed'],
  ['passed', 'not-tested', 'no longer tested'],
  ['failed', 'errored', 'no longer tested'],
  ['not-tested', 'passed', 'newly tested'],
  [null, 'passed', 'newly tested'],
  ['passed', 'warned', null],
  ['passed', 'passed', null],
  ['not-tested', 'errored', null],
] as const)('%s, then %s: %s', (before, after, change) => {
  expect(changeOf({ statuses: ['failed', before, after] })).toBe(change);
});

test('only a regression gives 1', () => {
  const code = (...runs: RunResult[]) => exitCodeOfComparison(compareRuns(runs));
  expect([code(good, bad), code(bad, good, bad)]).toEqual([1, 1]);
  const others = [code(bad, bad), code(unseen, bad), code(good, unseen), code(bad, good), code(good, bad, bad)];
  expect(others).toEqual([0, 0, 0, 0, 0]);
});

test('a comparison has a headline, causes, requirements, and what makes the runs hard to compare', () => {
  const shown = renderComparison(comparison, look);
  expect(shown.split('\n')[0]).toBe(counts);
  for (const text of ['New causes (1)', 'Fixed causes (1)', 'headers.beta', 'passed → failed']) {
    expect(shown).toContain(text);
  }
  expect(shown).toMatch(/versions of the kit: 0\.1\.0 and 0\.2\.0/);
});

test('more than two runs have a column each', () => {
  const three = compareRuns([good, bad, good]);
  expect(three.rows.map(({ statuses }) => statuses)).toEqual([['passed', 'failed', 'passed']]);
  expect(three.causes.map(({ statuses }) => statuses)).toEqual([['passed', 'failed', 'passed']]);
  expect(renderComparison(three, look)).toContain('✓ ✗ ✓');
});

test('a cause keeps its row, and a second one of its requirement has a row of its own', () => {
  const failing = (...actual: string[]) => {
    const findings = actual.map((text) => aFinding({ at: `header ${text}`, expected: `not ${text}` }));
    return aRun([aRequirement('headers.beta', { findings })]);
  };
  const runs = [failing('no header'), failing('a body of text', 'no header'), failing('no header')];
  expect(compareRuns(runs).causes.map(({ statuses }) => statuses)).toEqual([
    ['failed', 'failed', 'failed'],
    ['passed', 'failed', 'passed'],
  ]);
});

test.each([
  ['keys', { target: { ...aRun([]).target, roles: ['primary'] } }, /only before: key ambiguous, key otherAccount/],
  ['side effects', { target: { ...aRun([]).target, allow: [] } }, /only before: side effect proposals/],
  ['selections', { requirements: unseen.requirements }, /only after: 1 requirement not selected/],
] as const)('a run with other %s is of a different scope, and never better', (_, other, words) => {
  const narrower = compareRuns([bad, { ...good, ...(other as Partial<RunResult>) }]);
  expect(renderComparison(narrower, look)).toContain('different scope');
  expect(renderComparison(narrower, look)).toMatch(words);
  expect(toneOfComparison(narrower)).toBe('partial');
  expect(toneOfComparison(compareRuns([bad, good]))).toBe('good');
});

test('a cause that the later run did not test is not fixed', () => {
  const { causes } = compareRuns([bad, unseen]);
  expect([rowsWith(causes, 'fixed').length, rowsWith(causes, 'no longer tested').length]).toEqual([0, 1]);
});

test('two runs that are the same say so in one line and their heads, and the stub has a name', () => {
  const run = aRun(good.requirements, { target: { ...good.target, kind: 'stub', baseUrl: 'http://stub.invalid' } });
  const same = compareRuns([run, run]);
  const lines = renderComparison(same, look).trimEnd().split('\n');
  expect([lines[0], lines.length]).toEqual(['no regression', 3]);
  expect(renderComparison(same, look)).toContain('the embedded stub');
  expect(renderComparison(same, look)).not.toContain('stub.invalid');
});
