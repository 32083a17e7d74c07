import { expect, test } from 'vitest';
import type { Missing, RunResult } from '../suites/result.ts';
import { completing, gaps } from './gaps.ts';
import { aRequirement, aRun, notTested } from './testing/results.ts';

function remedyFor(missing: Missing, over: Partial<RunResult> = {}) {
  return gaps(aRun([notTested('race.one', '', [missing])], over))[0]?.remedy;
}

test('an effect: the option with everything that was allowed before', () => {
  expect(remedyFor({ kind: 'effect', effect: 'spending' })).toBe('--allow proposals,spending');
  const { target } = aRun([]);
  const allow = ['proposals', 'writes', 'throttling', 'waiting'] as const;
  expect(remedyFor({ kind: 'effect', effect: 'spending' }, { target: { ...target, allow: [...allow] } })).toBe(
    '--allow all',
  );
});

test('a role: its variable and its key in the configuration', () => {
  expect(remedyFor({ kind: 'role', role: 'otherAccount' })).toBe(
    'TCK_KEY_OTHER_ACCOUNT in the environment, or keys.otherAccount in the configuration',
  );
});

test('a clock, a setting, data and a selection', () => {
  expect(remedyFor({ kind: 'clock' })).toBe(
    'clock.advance in the configuration, or --allow proposals,waiting (up to 46 minutes)',
  );
  expect(remedyFor({ kind: 'setting', setting: 'workspaces[1].board' })).toBe(
    'workspaces[1].board in the configuration',
  );
  expect(remedyFor({ kind: 'data', what: 'a library item' })).toBe('a deployment that shows a library item');
  expect(remedyFor({ kind: 'selection' })).toBe('leave out --only, --skip and --bail');
  expect(remedyFor({ kind: 'selection' }, { interrupted: true })).toBe('let the run end');
});

test('requirements are grouped by what they lack, most of them first; two lacks, two groups', () => {
  const writes = { kind: 'effect', effect: 'writes' } as const;
  const found = gaps(
    aRun([
      notTested('expiry.a', '', [{ kind: 'clock' }]),
      notTested('content-requests.a', '', [writes]),
      notTested('content-requests.b', '', [writes, { kind: 'clock' }]),
      notTested('content-requests.c', '', [writes]),
      aRequirement('headers.beta'),
    ]),
  );
  expect(found.map((gap) => gap.requirements)).toEqual([
    ['content-requests.a', 'content-requests.b', 'content-requests.c'],
    ['content-requests.b', 'expiry.a'],
  ]);
});

test('without anything else the reason is given', () => {
  const bare = { ...notTested('rate-limit.cap', 'the cap was not met within 1000 calls', []) };
  expect(gaps(aRun([bare]))).toEqual([
    { why: 'the cap was not met within 1000 calls', remedy: null, requirements: ['rate-limit.cap'] },
  ]);
  expect(gaps(aRun([{ ...bare, checks: [] }]))[0]?.why).toBe('the cap was not met within 1000 calls');
});

test('everything together: one option for all effects, each key once', () => {
  const run = aRun([
    notTested('race.a', '', [
      { kind: 'effect', effect: 'spending' },
      { kind: 'role', role: 'revoked' },
    ]),
    notTested('race.b', '', [{ kind: 'effect', effect: 'writes' }, { kind: 'clock' }]),
    notTested('race.c', '', [{ kind: 'role', role: 'revoked' }]),
  ]);
  expect(completing(run)).toEqual([
    '--allow proposals,writes,spending',
    'clock.advance in the configuration, or the effect waiting',
    'TCK_KEY_REVOKED in the environment, or keys.revoked in the configuration',
  ]);
  expect(completing(aRun([aRequirement('headers.beta')]))).toEqual([]);
});

test('everything together: many keys and many settings are one line each', () => {
  const run = aRun([
    notTested('race.a', '', [
      { kind: 'role', role: 'expired' },
      { kind: 'setting', setting: 'workspaces[1]' },
      { kind: 'setting', setting: 'maxImages' },
    ]),
    notTested('race.b', '', [
      { kind: 'role', role: 'revoked' },
      { kind: 'setting', setting: 'workspaces[0].board' },
      { kind: 'data', what: 'a library item' },
    ]),
  ]);
  expect(completing(run)).toEqual([
    'a key for each of revoked, expired (TCK_KEY_REVOKED in the environment, or keys.revoked in the configuration, and so on)',
    'workspaces[0].board, workspaces[1] in the configuration',
    'a larger maxImages in the configuration',
    'a deployment that shows a library item',
  ]);
});

test('what a check found out while it ran is told in its own words', () => {
  const missing = { kind: 'setting', setting: 'maxImages' } as const;
  const run = aRun([notTested('race.one', 'no more than 8 images may be confirmed', [missing])]);
  expect(gaps(run)).toEqual([
    {
      why: 'no more than 8 images may be confirmed',
      remedy: 'a larger maxImages in the configuration',
      requirements: ['race.one'],
    },
  ]);
});
