import { describe, expect, test } from 'vitest';
import type { LeftBehind, RequirementResult, Status } from './result.ts';
import { conclude, type Grounds, worst } from './verdict.ts';

const nothing: LeftBehind = { contentRequests: [], runs: [], proposals: 0 };

const requirement = (id: string, status: Status): RequirementResult => ({
  id,
  topic: 'topic',
  level: 'must',
  statement: 'It holds.',
  source: 'Somewhere',
  status,
  checks: [],
});

const verdictOf = (statuses: readonly Status[], more: Partial<Grounds> = {}) =>
  conclude({
    requirements: statuses.map((status, index) => requirement(`topic.r${index}`, status)),
    interrupted: false,
    requests: 1,
    leftBehind: nothing,
    ...more,
  });

describe('of several outcomes the worst counts', () => {
  test.each<[Status[], Status]>([
    [['passed', 'failed', 'errored'], 'failed'],
    [['passed', 'errored', 'warned'], 'errored'],
    [['known-failure', 'warned', 'passed'], 'warned'],
    [['known-failure', 'not-tested', 'passed'], 'known-failure'],
    [['not-tested', 'passed'], 'not-tested'],
    [['passed', 'passed'], 'passed'],
    [[], 'not-tested'],
  ])('%j: %s', (statuses, expected) => {
    expect(worst(statuses)).toBe(expected);
  });
});

describe('non-conformant', () => {
  test('where a must failed, whatever else there is', () => {
    expect(verdictOf(['passed', 'failed', 'errored', 'not-tested']).verdict).toBe('non-conformant');
    expect(verdictOf(['failed']).reasons).toEqual(['1 requirement failed: topic.r0']);
  });

  test('where a known failure is stale', () => {
    const { verdict, reasons } = verdictOf(['passed'], { stale: ['known failure x passes: remove its entry'] });
    expect([verdict, reasons]).toEqual(['non-conformant', ['known failure x passes: remove its entry']]);
  });

  test('where a required requirement was not tested', () => {
    const required = new Set(['topic.r1']);
    expect(verdictOf(['passed', 'not-tested'], { required }).verdict).toBe('non-conformant');
    expect(verdictOf(['not-tested', 'passed'], { required }).verdict).toBe('conformant');
  });
});

describe('inconclusive', () => {
  test('where anything errored and nothing failed', () => {
    expect(verdictOf(['passed', 'errored', 'warned'])).toMatchObject({ verdict: 'inconclusive', complete: false });
  });

  test('where the target was unreachable or refused every credential', () => {
    const { verdict, reasons } = verdictOf(['not-tested'], {
      trouble: 'the target is unreachable: connection refused',
    });
    expect([verdict, reasons[0]]).toEqual(['inconclusive', 'the target is unreachable: connection refused']);
  });

  test('where nothing was tested', () => {
    expect(verdictOf(['not-tested', 'not-tested']).reasons).toEqual(['nothing was tested']);
    expect(verdictOf([]).verdict).toBe('inconclusive');
  });

  test('whenever interrupted, with what was found by then told behind', () => {
    const { verdict, reasons } = verdictOf(['passed', 'failed'], { interrupted: true });
    expect([verdict, reasons]).toEqual(['inconclusive', ['the run was interrupted', '1 requirement failed: topic.r1']]);
  });
});

describe('conformant', () => {
  test('otherwise: warnings, known failures and gaps do not count', () => {
    const result = verdictOf(['passed', 'warned', 'known-failure', 'not-tested']);
    expect(result).toMatchObject({ verdict: 'conformant', complete: false, reasons: [] });
  });

  test('and complete where everything was tested', () => {
    expect(verdictOf(['passed', 'warned', 'known-failure'])).toMatchObject({ verdict: 'conformant', complete: true });
  });
});

test('the summary counts requirements, requests and what was left', () => {
  const leftBehind: LeftBehind = {
    contentRequests: [{ pieceId: 'p', workspace: 'w', title: null }],
    runs: [
      { runId: 'a', workspace: 'w', images: 2 },
      { runId: 'b', workspace: 'w', images: 1 },
    ],
    proposals: 4,
  };
  const statuses: Status[] = ['passed', 'passed', 'failed', 'errored', 'warned', 'known-failure', 'not-tested'];
  expect(verdictOf(statuses, { leftBehind, requests: 9 }).summary).toEqual({
    passed: 2,
    failed: 1,
    errored: 1,
    warned: 1,
    knownFailures: 1,
    notTested: 1,
    requests: 9,
    imagesConfirmed: 3,
    contentRequestsCreated: 1,
  });
});

test('many ids are told by topic', () => {
  const statuses = Array.from({ length: 7 }, (): Status => 'failed');
  expect(verdictOf(statuses).reasons).toEqual(['7 requirements failed: topic (7)']);
});
