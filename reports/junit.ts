import XmlBuilder from 'fast-xml-builder';
import { requirementFigures } from '../suites/figures.ts';
import type { RunResult } from '../suites/result.ts';
import { plain } from './plain.ts';
import { deploymentName } from './status-words.ts';
import { type TestCase, testCases } from './test-cases.ts';

/** Names that begin with `@` are attributes, `#` is the text of an element. */
type Element = { [name: string]: string | number | Element | Element[] };

/**
 * `junit.xml` as CI systems read it: a suite for each topic, a case for each requirement. A broken `must` is a failure,
 * what could not be judged an error; what was not tested and a known failure are skipped; a broken `should` passes
 * with a text.
 */
export function junitXml(result: RunResult): string {
  const cases = testCases(result);
  const suites = [...Map.groupBy(cases, (one) => one.topic)];
  const document = {
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': `${plain(result.kit.name)} ${plain(deploymentName(result.target))}`,
      ...totals(cases),
      // Requirements are tested side by side: what each took adds up to more than the run did.
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
