import { parse, type TestSuites } from 'junit2json';
import { expect, test } from 'vitest';
import type { RunResult } from '../suites/result.ts';
import { aFailure, aFinding, aRequirement, aRun, notTested } from '../test/reports/results.ts';
import { ctrfJson } from './ctrf.ts';
import { junitXml } from './junit.ts';
import { reportOf } from './report.ts';

async function read(run: RunResult): Promise<TestSuites> {
  const suites = await parse(junitXml(reportOf(run)));
  if (!suites || !('testsuite' in suites)) throw new Error('not the file of a run');
  return suites;
}

const casesOf = async (run: RunResult) => ((await read(run)).testsuite ?? []).flatMap((suite) => suite.testcase ?? []);

test('a reader finds a suite for each topic, the counts of the report, and the time of the run', async () => {
  const run = aRun(
    [
      aFailure('headers.beta'),
      aRequirement('headers.tool-error'),
      aRequirement('headers.known', { status: 'known-failure', findings: [aFinding()] }),
      notTested('race.one', 'spending is not allowed', [{ kind: 'effect', effect: 'spending' }]),
      aRequirement('credits.x', { status: 'errored', reason: 'socket closed' }),
    ],
    { durationMs: 1000 },
  );
  const suites = await read(run);
  expect(suites).toMatchObject({ tests: 5, failures: 1, errors: 1, time: 1 });
  expect(suites.testsuite?.map(({ name }) => name)).toEqual(['headers', 'credits', 'race']);
  expect(suites.testsuite?.[0]).toMatchObject({ tests: 3, failures: 1, errors: 0, skipped: 1 });
});

test('the embedded stub has a name instead of its address', () => {
  const target = { ...aRun([]).target, kind: 'stub', baseUrl: 'http://stub.invalid' } as const;
  const run = aRun([aFailure('headers.beta')], { target });
  for (const file of [junitXml(reportOf(run)), ctrfJson(reportOf(run))]) {
    expect(file).toContain('the embedded stub');
    expect(file).not.toContain('stub.invalid');
  }
});

test('each outcome has the element that CI systems expect, and no requirement is lost', async () => {
  const cases = await casesOf(
    aRun([
      aFailure('bodies.failed'),
      aRequirement('bodies.errored', { status: 'errored', reason: 'socket closed' }),
      aRequirement('bodies.known', { status: 'known-failure', findings: [aFinding()] }),
      notTested('bodies.not-tested', 'no key', []),
      aRequirement('bodies.passed'),
      aRequirement('bodies.warned', { level: 'should', status: 'warned', findings: [aFinding()] }),
    ]),
  );
  const named = (name: string) => cases.find((one) => one.name === `bodies.${name}`);
  expect([cases.length, cases[0]?.name]).toEqual([6, 'bodies.failed']);
  expect(named('failed')?.failure?.[0]?.message).toContain('got status 403 without a credential');
  expect(named('failed')?.failure?.[0]?.inner).toContain('hint:     Answer a missing credential');
  expect(named('errored')?.error?.[0]?.message).toBe('socket closed');
  expect(named('known')?.skipped?.[0]?.message).toMatch(/^known failure: expected/);
  expect(named('not-tested')?.skipped?.[0]?.message).toBe('no key');
  expect(named('passed')).not.toHaveProperty('failure');
  expect(named('warned')?.['system-out']?.[0]).toContain('recommendation not followed');
});

test('a failure names cause, script and explanation, in what the schema of the xUnit plugin allows', () => {
  const run = aRun([aFailure('race.one-dispatches', { story: [1] }), notTested('bodies.none', 'why', [])]);
  const xml = junitXml(reportOf(run));
  expect(xml).toContain('cause:    `schedule.read` returns: status 403 without a credential');
  expect(xml).toContain('script:   repro/1.sh');
  expect(xml).toContain('explain:  tck explain race.one-dispatches');
  expect(xml).not.toMatch(/<testsuites[^>]* (skipped|disabled)=|<properties>/);
});

test('an inconclusive run has an error, and skips nothing if nothing was tested', async () => {
  const untested = aRun([notTested('bodies.none', 'why', []), notTested('bodies.text', 'why', [])]);
  expect(await read(untested)).toMatchObject({ tests: 1, errors: 1, failures: 0 });
  expect(await casesOf(untested)).toEqual([expect.objectContaining({ name: 'run' })]);
  const interrupted = aRun([aRequirement('bodies.text')], { interrupted: true });
  expect(await read(interrupted)).toMatchObject({ tests: 2, errors: 1 });
});
