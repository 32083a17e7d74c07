import { expect, test } from 'vitest';
import { longestWaitMinutes } from '../fixtures/contract/limits.ts';
import type { Missing, RunResult } from '../suites/result.ts';
import { aRequirement, aRun, notTested } from '../test/reports/results.ts';
import { gapsOf, gapText } from './gaps.ts';

const proposals: Missing = { kind: 'effect', effect: 'proposals' };
const writes: Missing = { kind: 'effect', effect: 'writes' };
const board: Missing = { kind: 'setting', setting: 'workspaces[0].board' };
const revoked: Missing = { kind: 'role', role: 'revoked' };
const longest = `${longestWaitMinutes} minutes`;

/** A run without allowed side effects. */
function reading(requirements: RunResult['requirements']): RunResult {
  return aRun(requirements, { target: { ...aRun([]).target, allow: [] } });
}

/** The additions of each step, with the requirements that become testable. */
function stepsOf(run: RunResult) {
  const steps = gapsOf(run).filter(({ add }) => add.length > 0);
  return steps.map(({ add, requirements }) => [add.map(({ text }) => text), requirements]);
}

test.each<[Missing, string | null]>([
  [{ kind: 'effect', effect: 'spending' }, '--allow proposals,spending'],
  [
    { kind: 'role', role: 'otherAccount' },
    "a key for the role 'otherAccount' (TCK_KEY_OTHER_ACCOUNT, or keys.otherAccount in the configuration)",
  ],
  [{ kind: 'clock' }, `clock.advance in the configuration, or --allow proposals,waiting (up to ${longest})`],
  [{ kind: 'setting', setting: 'workspaces[1].board' }, 'workspaces[1].board in the configuration'],
  [{ kind: 'setting', setting: 'maxImages' }, 'a larger maxImages in the configuration'],
  [{ kind: 'option', option: '--assume complete' }, '--assume complete'],
  [{ kind: 'data', what: 'a library item' }, null],
  [{ kind: 'unusable', why: 'workspaces[1] is configured, but' }, null],
  [{ kind: 'selection' }, null],
  [{ kind: 'interruption' }, null],
])('%j is supplied by %j', (missing, remedy) => {
  const [gap] = gapsOf(aRun([notTested('a.b', '', [missing])]));
  expect(gap?.add.map(({ text }) => text)).toEqual(remedy === null ? [] : [remedy]);
});

test('all side effects together are --allow all', () => {
  const { target } = aRun([]);
  const run = aRun([notTested('a.b', '', [{ kind: 'effect', effect: 'spending' }])], {
    target: { ...target, allow: ['proposals', 'writes', 'throttling', 'waiting'] },
  });
  expect(stepsOf(run)).toEqual([[['--allow all'], ['a.b']]]);
});

test('a step adds what requirements lack together, and each requirement stands in one step only', () => {
  const both = ['a', 'b', 'c'].map((name) => notTested(`image-proposals.${name}`, '', [proposals, board]));
  const run = reading([
    ...both,
    notTested('image-proposals.d', '', [proposals]),
    notTested('image-proposals.e', '', [proposals, board, revoked]),
    notTested('authentication.revoked', '', [revoked]),
    aRequirement('headers.beta'),
  ]);
  const first = ['--allow proposals', 'workspaces[0].board in the configuration'];
  const second = ["a key for the role 'revoked' (TCK_KEY_REVOKED, or keys.revoked in the configuration)"];
  expect(stepsOf(run)).toEqual([
    [first, ['image-proposals.a', 'image-proposals.b', 'image-proposals.c', 'image-proposals.d']],
    [second, ['authentication.revoked', 'image-proposals.e']],
  ]);
});

test('a later step names what earlier ones allowed, since --allow replaces', () => {
  const proposing = ['race.a', 'race.b'].map((id) => notTested(id, '', [proposals]));
  const run = reading([...proposing, notTested('content-requests.a', '', [writes])]);
  expect(stepsOf(run).map(([add]) => add)).toEqual([['--allow proposals'], ['--allow proposals,writes']]);
});

test('the steps and the other gaps together are what was not tested', () => {
  const run = reading([
    notTested('race.a', '', [proposals, revoked]),
    notTested('race.b', 'the library shows no item', [{ kind: 'data', what: 'a library item' }, proposals]),
    notTested('race.c', 'not selected', [{ kind: 'selection' }]),
    notTested('race.d', 'the rate limit was not met', []),
  ]);
  const gaps = gapsOf(run);
  const all = gaps.flatMap(({ requirements }) => requirements);
  expect(all.toSorted()).toEqual(['race.a', 'race.b', 'race.c', 'race.d']);
  expect(gaps.map(gapText)).toEqual([
    expect.stringMatching(/^--allow proposals and a key for the role 'revoked'/),
    'race.b: the library shows no item',
    'race.c: not selected',
    'race.d: the rate limit was not met',
  ]);
});

test('of recorded traffic only what it lacks is asked for, and no option of a run', () => {
  const untested = [
    notTested('image-proposals.proposed', 'not recorded', []),
    notTested('confirmations.expired-invalid', 'not certain', [{ kind: 'option', option: '--assume clock' }]),
  ];
  const { target } = reading([]);
  const steps = (kind: string) => stepsOf(aRun(untested, { target: { ...target, kind } }));
  expect(steps('recording')).toEqual([[['--assume clock'], ['confirmations.expired-invalid']]]);
  expect(steps('proxy')).toEqual(steps('recording'));
});
