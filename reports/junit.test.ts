import { parse, type TestSuites } from 'junit2json';
import { expect, test } from 'vitest';
import type { RunResult } from '../suites/result.ts';
import { hostileRun, hostileTexts } from '../test/reports/hostile.ts';
import { aFailure, aFinding, aRequirement, aRun, notTested } from '../test/reports/results.ts';
import { ctrfJson } from './ctrf.ts';
import { junitXml } from './junit.ts';
import { reportOf } from './report.ts';

async function read(run: RunResult): Promise<TestSuites> {
  const suites = await parse(junitXml(reportOf(run)));
  if (!suites || !('testsuite' in suites)) throw new Error('not the file of a run');
  return suites;
}

async function casesOf(run: RunResult) {
  return ((await read(run)).testsuite ?? []).flatMap((suite) => suite.testcase ?? []);
}

test('a reader of JUnit files finds a suite for each topic and counts', async () => {
  const suites = await read(
    aRun([
      aFailure('headers.beta'),
      aRequirement('headers.tool-error'),
      notTested('race.one', 'spending is not allowed', [{ kind: 'effect', effect: 'spending' }]),
      aRequirement('credits.x', { status: 'errored', reason: 'socket closed' }),
    ]),
  );
  expect(suites).toMatchObject({ tests: 4, failures: 1, errors: 1 });
  expect(suites.testsuite?.map(({ name }) => name)).toEqual(['headers', 'credits', 'race']);
  expect(suites.testsuite?.[0]).toMatchObject({ tests: 2, failures: 1, errors: 0, skipped: 0 });
});

test('the embedded stub has a name instead of its address', () => {
  const target = { ...aRun([]).target, kind: 'stub', baseUrl: 'http://stub.invalid' } as const;
  const run = aRun([aFailure('headers.beta')], { target });
  for (const file of [junitXml(reportOf(run)), ctrfJson(reportOf(run))]) {
    expect(file).toContain('the embedded stub');
    expect(file).not.toContain('stub.invalid');
  }
});

test('each outcome has the element that CI systems expect', async () => {
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
  const [failed, errored, known, idle, passed, advised] = [
    'failed',
    'errored',
    'known',
    'not-tested',
    'passed',
    'warned',
  ].map((name) => cases.find((one) => one.name === `bodies.${name}`));
  expect(failed?.failure?.[0]?.message).toContain('got status 403 without a credential');
  expect(failed?.failure?.[0]?.inner).toContain('hint:     Answer a missing credential');
  expect(errored?.error?.[0]?.message).toBe('socket closed');
  expect(known?.skipped?.[0]?.message).toMatch(/^known failure: expected/);
  expect(idle?.skipped?.[0]?.message).toBe('no key');
  expect(passed).not.toHaveProperty('failure');
  expect(advised?.['system-out']?.[0]).toContain('recommendation not followed');
});

test.each(Object.keys(hostileTexts))('it can be read whatever the server sends: %s', async (name) => {
  const xml = junitXml(reportOf(hostileRun(hostileTexts[name] ?? '')));
  expect(xml.length).toBeLessThan(100_000);
  expect(xml).not.toMatch(/(?![\n])[\p{Cc}\p{Cf}\p{Cs}\uffff]/u);
  const failure = (await casesOf(hostileRun(hostileTexts[name] ?? ''))).find((one) => one.failure !== undefined);
  expect(failure?.name).toBe('headers.beta');
});

test('the file has only what the schema of the xUnit plugin allows', () => {
  const xml = junitXml(reportOf(aRun([aFailure('bodies.text'), notTested('bodies.none', 'why', [])])));
  expect(xml).toContain('cause:    `schedule.read` returns: status 403 without a credential');
  expect(xml).not.toMatch(/<testsuites[^>]* (skipped|disabled)=|<properties>/);
});

test('an inconclusive run has an error, and skips nothing if nothing was tested', async () => {
  const untested = aRun([notTested('bodies.none', 'why', []), notTested('bodies.text', 'why', [])]);
  expect(await read(untested)).toMatchObject({ tests: 1, errors: 1, failures: 0 });
  expect(await casesOf(untested)).toEqual([expect.objectContaining({ name: 'run' })]);
  const interrupted = aRun([aRequirement('bodies.text')], { interrupted: true });
  expect(await read(interrupted)).toMatchObject({ tests: 2, errors: 1 });
});

test('a failure names the script that shows its cause', () => {
  const run = (story: number[]) => aRun([aFailure('bodies.text', { story })]);
  expect(junitXml(reportOf(run([1])))).toContain('script:   repro/1.sh');
});

test('the times of all cases add up to at most the time of the run', async () => {
  const requirements = [
    aRequirement('headers.beta', { durationMs: 700 }),
    aRequirement('race.one', { durationMs: 300 }),
  ];
  expect((await casesOf(aRun(requirements, { durationMs: 1000 }))).map(({ time }) => time)).toEqual([0.7, 0.3]);
  expect((await casesOf(aRun(requirements, { durationMs: 500 }))).map(({ time }) => time)).toEqual([0.35, 0.15]);
});

test('a failure says where its requirement is explained', () => {
  expect(junitXml(reportOf(aRun([aFailure('race.one-dispatches')])))).toContain(
    'explain:  tck explain race.one-dispatches',
  );
});
