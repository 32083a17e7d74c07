import XmlBuilder from 'fast-xml-builder';
import { isInconclusive } from '../suites/verdict.ts';
import { plain } from './plain.ts';
import type { Report } from './report.ts';
import { deploymentName } from './status-words.ts';
import { type TestCase, testCases } from './test-cases.ts';

/** Keys with the prefix `@` are attributes. `#` is the text content. */
type Element = { [name: string]: string | number | Element | Element[] };

/** A case before its suite is known. */
interface Case {
  name: string;
  topic: string;
  outcome: { failure?: Element; error?: Element; skipped?: Element; 'system-out'?: string };
}

/**
 * `junit.xml`, valid for the schema of Jenkins' xUnit plugin: a suite for each topic and a case for each requirement,
 * failures first. A violated `must` is a failure. Untested requirements and known failures are skipped. A violated
 * `should` passes with a message. If the run is inconclusive and nothing errored, a case for the run has the error.
 */
export function junitXml(report: Report): string {
  const { kit, target, startedAt, durationMs } = report.result;
  const cases = casesOf(report);
  const timestamp = startedAt.replace(/(\.\d+)?Z$/, '');
  const suites = [...Map.groupBy(cases, ({ topic }) => topic)].map(([topic, members]) => ({
    '@name': topic,
    ...countsOf(members),
    '@skipped': members.filter(({ outcome }) => outcome.skipped).length,
    '@timestamp': timestamp,
    testcase: members.map(({ name, outcome }) => ({ '@name': name, '@classname': topic, ...outcome })),
  }));
  return new XmlBuilder({
    attributeNamePrefix: '@',
    ignoreAttributes: false,
    suppressBooleanAttributes: false,
    suppressEmptyNode: true,
    textNodeName: '#',
    format: true,
  }).build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': `${plain(kit.name)} ${plain(deploymentName(target))}`,
      ...countsOf(cases),
      '@time': (Math.max(0, durationMs) / 1000).toFixed(3),
      testsuite: suites,
    },
  });
}

function casesOf(report: Report): Case[] {
  const { result, open } = report;
  const cases = testCases(report).map((one) => ({ name: one.name, topic: one.topic, outcome: outcomeOf(one) }));
  if (!isInconclusive(result) || cases.some(({ outcome }) => outcome.error)) return cases;
  const error = { '@message': open.map((reason) => plain(reason)).join('\n'), '@type': 'inconclusive' };
  const run = { name: 'run', topic: 'run', outcome: { error } };
  return result.requirements.every(({ status }) => status === 'not-tested') ? [run] : [run, ...cases];
}

function outcomeOf({ requirement: { status, level }, message, detail }: TestCase): Case['outcome'] {
  switch (status) {
    case 'failed':
      return { failure: { '@message': message, '@type': level, '#': detail } };
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

function countsOf(cases: readonly Case[]) {
  return {
    '@tests': cases.length,
    '@failures': cases.filter(({ outcome }) => outcome.failure).length,
    '@errors': cases.filter(({ outcome }) => outcome.error).length,
  };
}
