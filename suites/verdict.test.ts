import { expect, test } from 'vitest';
import { aRequirement } from '../test/reports/results.ts';
import type { RequirementResult, Status } from './result.ts';
import { addedUp, conclude, type Grounds, isInconclusive } from './verdict.ts';

const withStatuses = (statuses: readonly Status[]) =>
  statuses.map((status, index) => aRequirement(`topic.r${index}`, { status }));

const concluded = (requirements: readonly RequirementResult[], more: Partial<Grounds> = {}) =>
  conclude({ requirements, interrupted: false, counts: addedUp([]), ...more });

const passed = aRequirement('topic.b');

test.each<[Status[], object]>([
  [['passed', 'failed', 'errored', 'not-tested'], { verdict: 'non-conformant' }],
  [['failed'], { reasons: ['1 requirement failed: topic.r0'] }],
  [['passed', 'known-failure'], { verdict: 'non-conformant', reasons: ['1 known failure: topic.r1'] }],
  [['passed', 'errored', 'warned'], { verdict: 'inconclusive', complete: false }],
  [['not-tested', 'not-tested'], { verdict: 'inconclusive', reasons: ['nothing was tested'] }],
  [[], { verdict: 'inconclusive' }],
  [['passed', 'warned', 'not-tested'], { verdict: 'partial', complete: false, reasons: [] }],
  [['passed', 'warned'], { verdict: 'conformant', complete: true }],
])('the verdict speaks of the deployment: %j gives %j', (statuses, expected) => {
  expect(concluded(withStatuses(statuses))).toMatchObject(expected);
});

test('the verdict is inconclusive if the run as a whole was prevented, unless a must failed', () => {
  const trouble = ['the target is unreachable: connection refused'];
  const prevented = { verdict: 'inconclusive', trouble, reasons: [...trouble, 'nothing was tested'] };
  expect(concluded(withStatuses(['not-tested']), { trouble })).toMatchObject(prevented);
  expect(concluded([passed], { trouble }).verdict).toBe('inconclusive');
  expect(concluded([passed], { interrupted: true }).reasons).toEqual(['the run was interrupted']);
  expect(concluded(withStatuses(['passed', 'failed']), { interrupted: true })).toMatchObject({
    verdict: 'non-conformant',
    reasons: ['1 requirement failed: topic.r1', 'the run was interrupted'],
  });
});

test('a requirement that was not selected does not make a result partial', () => {
  const unselected = aRequirement('topic.a', { status: 'not-tested', missing: [{ kind: 'selection' }] });
  expect(concluded([unselected, passed])).toMatchObject({ verdict: 'conformant', complete: false });
});

test.each<[Status[], boolean, string[]]>([
  [['passed', 'warned', 'known-failure', 'not-tested', 'errored'], true, []],
  [['failed', 'known-failure'], false, ['1 requirement failed: topic.r0']],
])('the gate is policy: with %j it passes: %s', (statuses, isPassed, reasons) => {
  expect(concluded(withStatuses(statuses)).gate).toEqual({ passed: isPassed, reasons });
});

test('the gate fails on a required requirement without a test, which says nothing against the deployment', () => {
  const required = aRequirement('topic.a', { status: 'not-tested', required: true });
  expect(concluded([required, passed])).toMatchObject({
    verdict: 'partial',
    reasons: [],
    gate: { passed: false, reasons: ['1 required requirement not tested: topic.a'] },
  });
  const tested = aRequirement('topic.a', { required: true });
  expect(concluded([tested, ...withStatuses(['not-tested'])]).gate.passed).toBe(true);
});

test('the gate fails on a known failure that is stale', () => {
  const knownFailure = { reason: 'r', issue: 'i', owner: 'o', expires: '2026-01-01', stale: 'line 3: remove it' };
  expect(concluded([aRequirement('topic.a', { knownFailure })])).toMatchObject({
    verdict: 'conformant',
    gate: { passed: false, reasons: ['line 3: remove it'] },
  });
});

test.each<[Status[], Partial<Grounds>, boolean]>([
  [['passed', 'not-tested'], {}, false],
  [['failed'], {}, false],
  [['known-failure', 'errored'], {}, true],
  [['known-failure'], { interrupted: true }, true],
  [['known-failure'], { trouble: ['a ceiling was met'] }, true],
  [['not-tested'], {}, true],
])('%j with %j leaves questions open: %s', (statuses, more, open) => {
  expect(isInconclusive({ requirements: withStatuses(statuses), interrupted: false, ...more })).toBe(open);
});

test('the summary counts requirements, and what several runs did is added up', () => {
  const one = { requests: 9, imagesRequested: 4, imagesConfirmed: 3, imagesWorstCase: 5, contentRequestsCreated: 1 };
  const statuses: Status[] = ['passed', 'passed', 'failed', 'errored', 'warned', 'known-failure', 'not-tested'];
  expect(concluded(withStatuses(statuses), { counts: addedUp([one, one]) }).summary).toEqual({
    ...{ passed: 2, failed: 1, errored: 1, warned: 1, knownFailures: 1, notTested: 1 },
    ...{ requests: 18, imagesRequested: 8, imagesConfirmed: 6, imagesWorstCase: 10, contentRequestsCreated: 2 },
  });
});

test('many ids are told by topic', () => {
  const statuses = Array.from({ length: 7 }, (): Status => 'failed');
  expect(concluded(withStatuses(statuses)).reasons).toEqual(['7 requirements failed: topic (7)']);
});
