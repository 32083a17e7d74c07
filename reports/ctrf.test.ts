import { validate } from 'ctrf';
import { expect, test } from 'vitest';
import { aFailure, aRequirement, aRun, manyRequirements, notTested } from '../test/reports/results.ts';
import { ctrfJson } from './ctrf.ts';
import { reportOf } from './report.ts';

test('it matches the published schema, and counts', () => {
  const run = aRun([
    aFailure('headers.beta'),
    notTested('race.one', 'no key', []),
    aRequirement('credits.x', { status: 'errored', reason: 'socket closed', durationMs: 1.5 }),
    ...manyRequirements(10),
  ]);
  const report: unknown = JSON.parse(ctrfJson(reportOf(run)));
  expect(validate(report)).toMatchObject({ valid: true });
  expect(report).toMatchObject({
    results: {
      summary: { tests: 13, passed: 10, failed: 1, skipped: 1, other: 1, extra: { verdict: 'non-conformant' } },
    },
  });
});
