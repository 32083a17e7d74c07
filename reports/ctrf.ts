import type { Status } from '../suites/result.ts';
import { safeJson } from './json.ts';
import { plain } from './plain.ts';
import type { Report } from './report.ts';
import { deploymentName } from './status-words.ts';
import { type TestCase, testCases } from './test-cases.ts';

/** Version of the Common Test Report Format. */
const specVersion = '0.0.0';

const ctrfStatus: Readonly<Record<Status, 'passed' | 'failed' | 'skipped' | 'other'>> = {
  passed: 'passed',
  warned: 'passed',
  failed: 'failed',
  errored: 'other',
  'known-failure': 'skipped',
  'not-tested': 'skipped',
};

/** `ctrf.json`: the run in the Common Test Report Format, with one test for each requirement. */
export function ctrfJson(report: Report): string {
  const { result, figures } = report;
  const tests = testCases(report).map(ctrfTest);
  const { total, passed, failed, warned, errored, knownFailures, notTested } = figures;
  const start = Date.parse(result.startedAt);
  return safeJson({
    reportFormat: 'CTRF',
    specVersion,
    runId: plain(result.runId),
    timestamp: result.startedAt,
    generatedBy: `${plain(result.kit.name)} ${plain(result.kit.version)}`,
    results: {
      tool: { name: plain(result.kit.name), version: plain(result.kit.version) },
      summary: {
        tests: total,
        passed: passed + warned,
        failed,
        skipped: knownFailures + notTested,
        pending: 0,
        other: errored,
        suites: new Set(tests.map(({ suite }) => suite[0])).size,
        start,
        stop: start + Math.round(result.durationMs),
        extra: {
          verdict: result.verdict,
          complete: result.complete,
          gate: { passed: result.gate.passed, reasons: result.gate.reasons.map((reason) => plain(reason)) },
        },
      },
      tests,
      environment: { testEnvironment: plain(deploymentName(result.target)), extra: { seed: result.seed } },
    },
  });
}

function ctrfTest(one: TestCase) {
  const { requirement } = one;
  return {
    name: one.name,
    status: ctrfStatus[requirement.status],
    duration: 0, // requests of concurrent stories test several requirements each
    suite: [one.topic],
    rawStatus: requirement.status,
    tags: [requirement.level, requirement.severity],
    ...(one.message === '' ? {} : { message: one.message }),
    ...(one.detail === '' ? {} : { trace: one.detail }),
    extra: { statement: plain(requirement.statement), source: plain(requirement.source) },
  };
}
