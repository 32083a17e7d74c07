import { expect, test } from 'vitest';
import { toolNames } from '../fixtures/contract/tools.ts';
import { groupFindings } from './findings.ts';
import { aCheck, aFailure, aFinding, aRequirement, aRun } from './testing/results.ts';

test('thirty findings that are one are shown as one', () => {
  const findings = Array.from({ length: 30 }, (_, index) => {
    const tool = toolNames[index % toolNames.length];
    return aFinding({ actual: `${tool} answered without the header`, exchanges: [index] });
  });
  const groups = groupFindings(aRun([aRequirement('headers.beta', { checks: [aCheck({ findings })] })]));
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

test('what differs in the status or in the hint stays apart', () => {
  const groups = groupFindings(
    aRun([
      aFailure('bodies.a', { actual: 'status 401' }),
      aFailure('bodies.b', { actual: 'status 403' }),
      aFailure('bodies.c', { actual: 'status 403', hint: 'Another place.' }),
    ]),
  );
  expect(groups).toHaveLength(3);
});

test('must before should, what spans many requirements before the rest, then the order of the document', () => {
  const groups = groupFindings(
    aRun([
      aRequirement('envelopes.advice', {
        level: 'should',
        status: 'warned',
        checks: [aCheck({ status: 'warned', findings: [aFinding({ hint: 'advice' })] })],
      }),
      aFailure('race.one', { hint: 'late topic' }),
      aFailure('headers.one', { hint: 'early topic' }),
      ...['a', 'b', 'c'].map((name) => aFailure(`rate-limit.${name}`, { hint: 'wide' })),
    ]),
  );
  expect(groups.map((group) => group.finding.hint)).toEqual(['wide', 'early topic', 'late topic', 'advice']);
});

test('a repeated finding counts as often as it was met, and known failures are left out', () => {
  const known = { ...aFailure('bodies.known', { hint: 'known' }), status: 'known-failure' as const };
  const groups = groupFindings(aRun([aFailure('bodies.a', { times: 7 }), known]));
  expect(groups).toHaveLength(1);
  expect(groups[0]?.times).toBe(7);
});
