import { expect, test } from 'vitest';
import { aFailure, aRequirement, aRun, manyRequirements, notTested } from '../test/reports/results.ts';
import { badgeJson, badgeSvg } from './badge.ts';

test.each([
  ['everything', aRun(manyRequirements(3)), 'conformant', 'brightgreen'],
  ['a part', aRun([...manyRequirements(3), notTested('race.one', '', [])]), 'no violations, 3 of 4 tested', 'blue'],
  ['a failure', aRun([aFailure('headers.beta')]), '1 requirement failed', 'red'],
  [
    'a known failure',
    aRun([aFailure('headers.beta', {}, { status: 'known-failure' })]),
    '1 known failure',
    'lightgrey',
  ],
  ['an error', aRun([aRequirement('race.one', { status: 'errored' })]), 'inconclusive', 'lightgrey'],
])('%s', (_, run, message, color) => {
  expect(JSON.parse(badgeJson(run))).toMatchObject({ schemaVersion: 1, label: 'tool-call API', message, color });
  expect(badgeSvg(run)).toContain(`<title>tool-call API: ${message}</title>`);
});
