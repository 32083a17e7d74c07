import { expect, test } from 'vitest';
import { toolNames } from '../fixtures/contract/tools.ts';
import { findingsTitle } from './figures.ts';
import { groupFindings } from './findings.ts';
import { aFailure, aFinding, aRequirement, aRun } from './testing/results.ts';

test('thirty findings that are one are shown as one', () => {
  const findings = Array.from({ length: 30 }, (_, index) => {
    const tool = toolNames[index % toolNames.length];
    return aFinding({ actual: `${tool} answered without the header`, exchanges: [index] });
  });
  const groups = groupFindings(aRun([aRequirement('headers.beta', { findings })]));
  expect(groups).toHaveLength(1);
  expect(groups[0]).toMatchObject({ times: 30, requirement: { id: 'headers.beta' } });
  expect(groups[0]?.exchanges).toHaveLength(30);
});

test('the same finding in several requirements is one, and names them all', () => {
  const ids = ['bodies.text', 'bodies.number', 'bodies.null'];
  const groups = groupFindings(aRun(ids.map((id) => aFailure(id))));
  expect(groups).toHaveLength(1);
  expect(groups[0]?.requirements.map(({ id }) => id)).toEqual(ids.toSorted());
});

test('another expectation and another place to look stay apart', () => {
  const groups = groupFindings(
    aRun([
      aFailure('bodies.a'),
      aFailure('bodies.b', { expected: 'status 404' }),
      aFailure('bodies.c', { hint: 'Another place.' }),
    ]),
  );
  expect(groups).toHaveLength(3);
});

test('what came in different ways is one finding, with an example of each, whichever tool the hint begins with', () => {
  const groups = groupFindings(
    aRun([
      aFailure('bodies.a', { actual: 'status 200', hint: 'schedule.read: look here', exchanges: [5, 6, 7] }),
      aFailure('bodies.b', { actual: 'status 200', hint: 'look here', exchanges: [8] }),
      aFailure('bodies.c', { actual: 'status 404', hint: 'library.get: look here', exchanges: [9] }),
    ]),
  );
  expect(groups).toHaveLength(1);
  expect(groups[0]).toMatchObject({ alsoActual: ['status 404'], evidence: [5, 9], exchanges: [5, 6, 7, 8, 9] });
});

test('what was expected is one thing whatever values it names', () => {
  const workspaces = ['north', 'east'].map((slug) => aFinding({ expected: `workspace "${slug}", as asked for` }));
  const requirement = aRequirement('workspaces.a', { findings: workspaces });
  expect(groupFindings(aRun([requirement]))).toHaveLength(1);
});

test('values with digits in them are not told one by one', () => {
  const [group] = groupFindings(
    aRun([aFailure('bodies.a', { actual: 'balance is "12"' }), aFailure('bodies.b', { actual: 'balance is "14"' })]),
  );
  expect(group).toMatchObject({ times: 2, alsoActual: [] });
});

test('of a comparison both exchanges are the evidence', () => {
  const [group] = groupFindings(aRun([aFailure('bodies.a', { exchanges: [3, 8] })]));
  expect(group?.evidence).toEqual([3, 8]);
});

test('of what was met once all that it rests on is the evidence', () => {
  const [group] = groupFindings(aRun([aFailure('bodies.a', { exchanges: [3, 5, 8] })]));
  expect(group?.evidence).toEqual([3, 5, 8]);
});

test('what says it of anything comes after what says it in particular', () => {
  const ids = ['arguments.valid-never-refused', 'schedule.one', 'envelopes.described-status', 'race.one'];
  const groups = groupFindings(aRun(ids.map((id) => aFailure(id, { hint: id }))));
  expect(groups.map(({ requirement }) => requirement.id)).toEqual([
    'schedule.one',
    'race.one',
    'envelopes.described-status',
    'arguments.valid-never-refused',
  ]);
});

test('must before should, what spans many requirements before the rest, then the order of the specification', () => {
  const groups = groupFindings(
    aRun([
      aRequirement('envelopes.advice', {
        level: 'should',
        status: 'warned',
        findings: [aFinding({ hint: 'advice' })],
      }),
      aFailure('race.one', { hint: 'late topic' }),
      aFailure('headers.one', { hint: 'early topic' }),
      ...['a', 'b', 'c'].map((name) => aFailure(`rate-limit.${name}`, { hint: 'wide' })),
    ]),
  );
  expect(groups.map((group) => group.finding.hint)).toEqual(['wide', 'early topic', 'late topic', 'advice']);
});

test('the most severe first, whatever the topic and however many requirements a cause spans', () => {
  const groups = groupFindings(
    aRun([
      ...['a', 'b', 'c'].map((name) => aFailure(`bodies.${name}`, { hint: 'wide' })),
      aFailure('headers.one', { hint: 'cosmetic' }, { severity: 'cosmetic' }),
      aFailure('race.one', { hint: 'money' }, { severity: 'spends-money' }),
      aFailure('workspaces.one', { hint: 'isolation' }, { severity: 'data-isolation' }),
      aFailure('rate-limit.one', { hint: 'mixed' }),
      aFailure('rate-limit.two', { hint: 'mixed' }, { severity: 'security' }),
    ]),
  );
  expect(groups.map(({ finding, severity }) => [finding.hint, severity])).toEqual([
    ['mixed', 'security'],
    ['money', 'spends-money'],
    ['isolation', 'data-isolation'],
    ['wide', 'contract'],
    ['cosmetic', 'cosmetic'],
  ]);
});

test('a repeated finding counts as often as it was met, and known failures are left out', () => {
  const known = { ...aFailure('bodies.known', { hint: 'known' }), status: 'known-failure' as const };
  const groups = groupFindings(aRun([aFailure('bodies.a', { times: 7 }), known]));
  expect(groups).toHaveLength(1);
  expect(groups[0]?.times).toBe(7);
});

test('a recommendation that is not followed is no critical finding, whatever its severity', () => {
  const failed = aFailure('bodies.a', { expected: 'status 400' });
  const advice = aFailure('bodies.b', { expected: 'status 404' });
  const severe = [failed, { ...advice, level: 'should' as const, status: 'warned' as const }];
  const run = aRun(severe.map((requirement) => ({ ...requirement, severity: 'security' as const })));
  expect(findingsTitle(run)).toBe('2 findings (1 critical)');
});
