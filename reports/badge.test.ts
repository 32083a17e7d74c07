import { expect, test } from 'vitest';
import { badgeJson, badgeSvg } from './badge.ts';
import { aFailure, aRequirement, aRun, manyRequirements, notTested } from './testing/results.ts';

test.each([
  ['everything', aRun(manyRequirements(3)), 'conformant', 'brightgreen'],
  ['a part', aRun([...manyRequirements(3), notTested('race.one', '', [])]), 'conformant (3 of 4)', 'green'],
  ['a failure', aRun([aFailure('headers.beta')]), '1 failed', 'red'],
  ['a stale entry', aRun([], { verdict: 'non-conformant' }), 'non-conformant', 'red'],
  ['an error', aRun([aRequirement('race.one', { status: 'errored' })]), 'inconclusive', 'lightgrey'],
])('%s', (_, run, message, color) => {
  expect(JSON.parse(badgeJson(run))).toMatchObject({ schemaVersion: 1, label: 'tool-call API', message, color });
  expect(badgeSvg(run)).toContain(`<title>tool-call API: ${message}</title>`);
});
