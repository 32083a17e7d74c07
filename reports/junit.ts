import XmlBuilder from 'fast-xml-builder';
import { requirementFigures } from '../suites/figures.ts';
import type { RunResult } from '../suites/result.ts';
import { plain } from './plain.ts';
import { deploymentName } from './status-words.ts';
import { type TestCase, testCases } from './test-cases.ts';

/** Keys with the prefix `@` are attributes. `#` is the text content. */
type Element = { [name: string]: string | number | Element | Element[] };

/**
 * `junit.xml`: a suite for each topic and a case for each requirement, failures first. A violated `must` is a failure.
 * Errored requirements are errors. Untested requirements and known failures are skipped. A violated `should` passes
 * with a message.
 */
export function junitXml(result: RunResult): string {
  const cases = testCases(result);
  const suites = [...Map.groupBy(cases, (one) => one.topic)];
  const document = {
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': `${plain(result.kit.name)} ${plain(deploymentName(result.target))}`,
      ...totals(cases),
      // Concurrent stories test several requirements each, so the times of the cases add up to more than the duration.
      '@time': seconds(result.durationMs),
      testsuite: suites.map(([topic, members]) => ({
        '@name': topic,
        ...totals(members),
        '@timestamp': result.startedAt.replace(/(\.\d+)?Z$/, ''),
        testcase: members.map(caseElement),
      })),
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

function totals(cases: readonly TestCase[]): Element {
  const { total, failed, errored, notTested, knownFailures } = requirementFigures(
    cases.map(({ requirement }) => requirement),
  );
  return {
    '@tests': total,
    '@failures': failed,
    '@errors': errored,
    '@skipped': notTested + knownFailures,
    '@time': seconds(cases.reduce((sum, { requirement }) => sum + requirement.durationMs, 0)),
  };
}

function caseElement(one: TestCase): Element {
  return {
    '@name': one.name,
    '@classname': one.topic,
    '@time': seconds(one.requirement.durationMs),
    ...properties(one),
    ...outcome(one),
  };
}

/** Causes as properties, for tools that group failures. */
function properties({ causes }: TestCase): Element {
  if (causes.length === 0) return {};
  return { properties: { property: causes.map((title) => ({ '@name': 'cause', '@value': title })) } };
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
