import { parse, type TestSuites } from 'junit2json';
import { expect, test } from 'vitest';
import type { RunResult } from '../suites/result.ts';
import { junitXml } from './junit.ts';
import { hostileRun, hostileTexts } from './testing/hostile.ts';
import { aCheck, aFailure, aFinding, aRequirement, aRun, notTested } from './testing/results.ts';

async function read(run: RunResult): Promise<TestSuites> {
  const suites = await parse(junitXml(run));
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
      aRequirement('credits.x', { checks: [aCheck({ status: 'errored', reason: 'socket closed' })] }),
    ]),
  );
  expect(suites).toMatchObject({ tests: 4, failures: 1, errors: 1 });
  expect(suites.testsuite?.map(({ name }) => name)).toEqual(['headers', 'credits', 'race']);
  expect(suites.testsuite?.[0]).toMatchObject({ tests: 2, failures: 1, errors: 0, skipped: 0 });
});

test('each outcome has the element that CI systems expect', async () => {
  const warned = aCheck({ status: 'warned', findings: [aFinding()] });
  const cases = await casesOf(
    aRun([
      aFailure('bodies.failed'),
      aRequirement('bodies.errored', { checks: [aCheck({ status: 'errored', reason: 'socket closed' })] }),
      aRequirement('bodies.known', { checks: [aCheck({ status: 'known-failure', findings: [aFinding()] })] }),
      notTested('bodies.not-tested', 'no key', []),
      aRequirement('bodies.passed'),
      aRequirement('bodies.warned', { level: 'should', status: 'warned', checks: [warned] }),
    ]),
  );
  const [failed, errored, known, idle, passed, advised] = [
    'failed',
    'errored',
    'known',
    'not-tested',
    'passed',
    'warned',
  ].map((name) => cases.find((one) => one.name?.startsWith(`bodies.${name}:`)));
  expect(failed?.failure?.[0]?.message).toContain('got status 403 without a credential');
  expect(failed?.failure?.[0]?.inner).toContain('hint:     Answer a missing credential');
  expect(errored?.error?.[0]?.message).toBe('socket closed');
  expect(known?.skipped?.[0]?.message).toMatch(/^known failure: expected/);
  expect(idle?.skipped?.[0]?.message).toBe('no key');
  expect(passed).not.toHaveProperty('failure');
  expect(advised?.['system-out']?.[0]).toContain('advice not followed');
});

test('names are unique and stable, and a requirement without checks is not lost', async () => {
  const twice = aRequirement('bodies.text', { checks: [aCheck(), aCheck()] });
  const none = aRequirement('bodies.none', { status: 'not-tested', reason: 'why', checks: [] });
  const names = (await casesOf(aRun([twice, none]))).map(({ name }) => name);
  expect(names).toEqual([
    'bodies.none: The rule that bodies none names holds.',
    'bodies.text: one call',
    'bodies.text: one call (2)',
  ]);
});

test.each(Object.keys(hostileTexts))('it can be read whatever the server sends: %s', async (name) => {
  const xml = junitXml(hostileRun(hostileTexts[name] ?? ''));
  expect(xml.length).toBeLessThan(100_000);
  expect(xml).not.toMatch(/(?![\n])[\p{Cc}\p{Cf}\p{Cs}\uffff]/u);
  const failure = (await casesOf(hostileRun(hostileTexts[name] ?? ''))).find((one) => one.failure !== undefined);
  expect(failure?.name).toMatch(/^headers\.beta: /);
});
