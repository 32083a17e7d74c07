import { describe, expect, test } from 'vitest';
import type { RequirementResult, Status } from './result.ts';
import { addedUp, conclude, type Grounds, isInconclusive } from './verdict.ts';

const requirement = (id: string, status: Status, over: Partial<RequirementResult> = {}): RequirementResult => ({
  id,
  topic: 'topic',
  level: 'must',
  severity: 'contract',
  since: '0.1.0',
  statement: 'It holds.',
  source: 'Somewhere',
  status,
  findings: [],
  ...over,
});

const concluded = (requirements: readonly RequirementResult[], more: Partial<Grounds> = {}) =>
  conclude({ requirements, interrupted: false, counts: addedUp([]), ...more });

const verdictOf = (statuses: readonly Status[], more: Partial<Grounds> = {}) =>
  concluded(
    statuses.map((status, index) => requirement(`topic.r${index}`, status)),
    more,
  );

describe('the verdict speaks of the deployment', () => {
  test('non-conformant where a must failed, whatever else there is', () => {
    expect(verdictOf(['passed', 'failed', 'errored', 'not-tested']).verdict).toBe('non-conformant');
    expect(verdictOf(['failed']).reasons).toEqual(['1 requirement failed: topic.r0']);
    expect(verdictOf(['passed', 'failed'], { interrupted: true })).toMatchObject({
      verdict: 'non-conformant',
      reasons: ['1 requirement failed: topic.r1', 'the run was interrupted'],
    });
  });

  test('non-conformant where a must failed, although the failure is known', () => {
    expect(verdictOf(['passed', 'known-failure'])).toMatchObject({
      verdict: 'non-conformant',
      reasons: ['1 known failure: topic.r1'],
    });
  });

  test('inconclusive where anything errored and nothing failed', () => {
    expect(verdictOf(['passed', 'errored', 'warned'])).toMatchObject({ verdict: 'inconclusive', complete: false });
  });

  test('inconclusive where the run as a whole was kept from it', () => {
    const trouble = ['the target is unreachable: connection refused'];
    expect(verdictOf(['not-tested'], { trouble })).toMatchObject({
      verdict: 'inconclusive',
      trouble,
      reasons: [...trouble, 'nothing was tested'],
    });
    expect(verdictOf(['passed'], { trouble }).verdict).toBe('inconclusive');
    expect(verdictOf(['passed'], { interrupted: true }).reasons).toEqual(['the run was interrupted']);
  });

  test('inconclusive where nothing was tested', () => {
    expect(verdictOf(['not-tested', 'not-tested']).reasons).toEqual(['nothing was tested']);
    expect(verdictOf([]).verdict).toBe('inconclusive');
  });

  test('partial if a selected requirement was not tested, conformant otherwise', () => {
    const unselected = requirement('topic.a', 'not-tested', { missing: [{ kind: 'selection' }] });
    expect(concluded([unselected, requirement('topic.b', 'passed')])).toMatchObject({
      verdict: 'conformant',
      complete: false,
    });
    expect(verdictOf(['passed', 'warned', 'not-tested'])).toMatchObject({
      verdict: 'partial',
      complete: false,
      reasons: [],
    });
    expect(verdictOf(['passed', 'warned'])).toMatchObject({ verdict: 'conformant', complete: true });
  });
});

describe('the gate is policy', () => {
  test('it passes where nothing speaks against it, also where not everything was tested', () => {
    const { gate } = verdictOf(['passed', 'warned', 'known-failure', 'not-tested', 'errored']);
    expect(gate).toEqual({ passed: true, reasons: [] });
  });

  test('it fails on a failure that is not known', () => {
    const { gate } = verdictOf(['failed', 'known-failure']);
    expect(gate).toEqual({ passed: false, reasons: ['1 requirement failed: topic.r0'] });
  });

  test('it fails on a required requirement without a test, which says nothing against the deployment', () => {
    const required = requirement('topic.a', 'not-tested', { required: true });
    expect(concluded([required, requirement('topic.b', 'passed')])).toMatchObject({
      verdict: 'partial',
      reasons: [],
      gate: { passed: false, reasons: ['1 required requirement not tested: topic.a'] },
    });
    expect(concluded([{ ...required, status: 'passed' }, requirement('topic.b', 'not-tested')]).gate.passed).toBe(true);
  });

  test('it fails on a known failure that is stale', () => {
    const knownFailure = { reason: 'r', issue: 'i', owner: 'o', expires: '2026-01-01', stale: 'line 3: remove it' };
    expect(concluded([requirement('topic.a', 'passed', { knownFailure })])).toMatchObject({
      verdict: 'conformant',
      gate: { passed: false, reasons: ['line 3: remove it'] },
    });
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
  const requirements = statuses.map((status, index) => requirement(`topic.r${index}`, status));
  expect(isInconclusive({ requirements, interrupted: false, ...more })).toBe(open);
});

test('the summary counts requirements, and what several runs did is added up', () => {
  const one = { requests: 9, imagesRequested: 4, imagesConfirmed: 3, imagesWorstCase: 5, contentRequestsCreated: 1 };
  const statuses: Status[] = ['passed', 'passed', 'failed', 'errored', 'warned', 'known-failure', 'not-tested'];
  expect(verdictOf(statuses, { counts: addedUp([one, one]) }).summary).toEqual({
    passed: 2,
    failed: 1,
    errored: 1,
    warned: 1,
    knownFailures: 1,
    notTested: 1,
    requests: 18,
    imagesRequested: 8,
    imagesConfirmed: 6,
    imagesWorstCase: 10,
    contentRequestsCreated: 2,
  });
});

test('many ids are told by topic', () => {
  const statuses = Array.from({ length: 7 }, (): Status => 'failed');
  expect(verdictOf(statuses).reasons).toEqual(['7 requirements failed: topic (7)']);
});
