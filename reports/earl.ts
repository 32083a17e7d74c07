import type { RunResult, Status } from '../suites/result.ts';
import { safeJson } from './json.ts';
import { plain } from './plain.ts';
import { targetName } from './status-words.ts';
import { type TestCase, testCases } from './test-cases.ts';

/** Outcomes of EARL 1.0. A recommendation that is not followed fails its test, because EARL has no levels. */
const outcomes: Readonly<Record<Status, string>> = {
  passed: 'passed',
  failed: 'failed',
  warned: 'failed',
  'known-failure': 'failed',
  errored: 'cantTell',
  'not-tested': 'untested',
};

const context = {
  earl: 'http://www.w3.org/ns/earl#',
  dct: 'http://purl.org/dc/terms/',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
};

const [subject, assertor] = ['_:subject', '_:assertor'];

/**
 * `earl.jsonld`: the run in the Evaluation and Report Language (EARL 1.0, W3C), with one assertion for each
 * requirement. The context is part of the file, so that readers need no network.
 */
export function earlJson(result: RunResult): string {
  const { kit, startedAt } = result;
  return safeJson({
    '@context': context,
    '@graph': [
      {
        '@id': assertor,
        '@type': ['earl:Assertor', 'earl:Software'],
        'dct:title': plain(kit.name),
        'dct:hasVersion': plain(kit.version),
      },
      { '@id': subject, '@type': 'earl:TestSubject', 'dct:title': plain(targetName(result)) },
      ...testCases(result).map((one) => assertion(one, startedAt)),
    ],
  });
}

function assertion({ name, topic, requirement, message }: TestCase, startedAt: string) {
  return {
    '@type': 'earl:Assertion',
    'earl:assertedBy': { '@id': assertor },
    'earl:subject': { '@id': subject },
    'earl:test': {
      '@id': `urn:x-content-workspace-tck:${encodeURIComponent(name)}`,
      '@type': 'earl:TestRequirement',
      'dct:title': name,
      'dct:subject': topic,
      'dct:description': plain(requirement.statement),
    },
    'earl:mode': { '@id': 'earl:automatic' },
    'earl:result': {
      '@type': 'earl:TestResult',
      'earl:outcome': { '@id': `earl:${outcomes[requirement.status]}` },
      'dct:date': { '@type': 'xsd:dateTime', '@value': startedAt },
      ...(message === '' ? {} : { 'earl:info': message }),
    },
  };
}
