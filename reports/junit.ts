import XmlBuilder from 'fast-xml-builder';
import type { RunResult } from '../suites/result.ts';
import { isInconclusive, requirementFigures } from '../suites/verdict.ts';
import { plain } from './plain.ts';
import type { Report } from './report.ts';
import { deploymentName } from './status-words.ts';
import { type TestCase, testCases } from './test-cases.ts';

/** Keys with the prefix `@` are attributes. `#` is the text content. */
type Element = { [name: string]: string | number | Element | Element[] };

/**
 * `junit.xml`, valid for the schema of Jenkins' xUnit plugin: a suite for each topic and a case for each requirement,
 * failures first. A violated `must` is a failure. Untested requirements and known failures are skipped. A violated
 * `should` passes with a message. If the run is inconclusive and nothing errored, a case for the run has the error.
 */
export function junitXml(report: Report): string {
  const { result } = report;
  const failed = runError(report);
  const all = testCases(report);
  const cases = failed !== undefined && all.every(isUntested) ? [] : all;
  // Concurrent stories test several requirements each. Readers add up the times of the cases.
  const sum = cases.reduce((total, { requirement }) => total + requirement.durationMs, 0);
  const scale = Math.min(1, result.durationMs / Math.max(1, sum));
  const suites = [...Map.groupBy(cases, (one) => one.topic)].map(([topic, members]) =>
    suite(
      result,
      topic,
      members.map((one) => caseElement(one, scale)),
      members,
      scale,
    ),
  );
  const own = failed === undefined ? [] : [suite(result, 'run', [failed], [], scale)];
  const { '@skipped': _, ...counts } = totals(cases, scale, own.length);
  const document = {
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': `${plain(result.kit.name)} ${plain(deploymentName(result.target))}`,
      ...counts,
      '@time': seconds(result.durationMs),
      testsuite: [...own, ...suites],
    },
  };
  return new XmlBuilder({
    attributeNamePrefix: '@',
    ignoreAttributes: false,
    suppressBooleanAttributes: false,
    suppressEmptyNode: true,
    textNodeName: '#',
    format: true,
  }).build(document);
}

const isUntested = ({ requirement }: TestCase) => requirement.status === 'not-tested';

/** The case of a run that could not decide. Undefined if a requirement has the error, or the run was conclusive. */
function runError({ result, open }: Report): Element | undefined {
  if (!isInconclusive(result) || result.requirements.some(({ status }) => status === 'errored')) return undefined;
  const message = open.map((reason) => plain(reason)).join('\n');
  return {
    '@name': 'run',
    '@classname': 'run',
    '@time': '0.000',
    error: { '@message': message, '@type': 'inconclusive' },
  };
}

function suite(
  { startedAt }: RunResult,
  name: string,
  testcase: Element[],
  members: readonly TestCase[],
  scale: number,
): Element {
  const timestamp = startedAt.replace(/(\.\d+)?Z$/, '');
  const errors = testcase.length - members.length;
  return { '@name': name, ...totals(members, scale, errors), '@timestamp': timestamp, testcase };
}

function totals(cases: readonly TestCase[], scale: number, moreErrors: number) {
  const { total, failed, errored, notTested, knownFailures } = requirementFigures(
    cases.map(({ requirement }) => requirement),
  );
  return {
    '@tests': total + moreErrors,
    '@failures': failed,
    '@errors': errored + moreErrors,
    '@skipped': notTested + knownFailures,
    '@time': seconds(scale * cases.reduce((sum, { requirement }) => sum + requirement.durationMs, 0)),
  };
}

function caseElement(one: TestCase, scale: number): Element {
  return {
    '@name': one.name,
    '@classname': one.topic,
    '@time': seconds(scale * one.requirement.durationMs),
    ...outcome(one),
  };
}

function outcome({ requirement, message, detail }: TestCase): Element {
  switch (requirement.status) {
    case 'failed':
      return { failure: { '@message': message, '@type': requirement.level, '#': detail } };
    case 'errored':
      return { error: { '@message': message, '@type': 'errored', '#': detail } };
    case 'not-tested':
      return { skipped: { '@message': message } };
    case 'known-failure':
      return { skipped: { '@message': `known failure: ${message}` } };
    case 'warned':
      return { 'system-out': `recommendation not followed\n${detail}` };
    case 'passed':
      return {};
  }
}

function seconds(ms: number): string {
  return (Math.max(0, ms) / 1000).toFixed(3);
}
