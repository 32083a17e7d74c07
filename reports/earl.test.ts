import { expect, test } from 'vitest';
import { type Status, statuses } from '../suites/result.ts';
import { aFailure, aRequirement, aRun, notTested } from '../test/reports/results.ts';
import { earlJson } from './earl.ts';

interface Node {
  '@id'?: string;
  '@type': string | string[];
  [property: string]: unknown;
}

const graphOf = (run = aRun([])): Node[] => JSON.parse(earlJson(run))['@graph'];

test('each requirement has an assertion of the kit about the deployment', () => {
  const graph = graphOf(
    aRun([aRequirement('headers.beta'), aFailure('authentication.absent'), notTested('a.b', 'no key', [])]),
  );
  const assertions = graph.filter((node) => node['@type'] === 'earl:Assertion');
  expect(assertions.map((node) => [node['earl:test'], node['earl:result']])).toMatchObject([
    [{ 'dct:title': 'authentication.absent' }, { 'earl:outcome': { '@id': 'earl:failed' } }],
    [{ 'dct:title': 'a.b' }, { 'earl:outcome': { '@id': 'earl:untested' }, 'earl:info': 'no key' }],
    [{ 'dct:title': 'headers.beta' }, { 'earl:outcome': { '@id': 'earl:passed' } }],
  ]);
  const typeOf = (id: unknown) => graph.find((node) => node['@id'] === id)?.['@type'];
  for (const node of assertions) {
    expect(typeOf((node['earl:assertedBy'] as Node)['@id'])).toContain('earl:Assertor'); // a reference is a node
    expect(typeOf((node['earl:subject'] as Node)['@id'])).toBe('earl:TestSubject');
  }
});

test('each status has an outcome of EARL', () => {
  const outcomeOf = (status: Status) => {
    const json = earlJson(aRun([aRequirement('headers.beta', { status })]));
    return /"earl:outcome": \{\s*"@id": "earl:(\w+)"/.exec(json)?.[1];
  };
  expect(Object.fromEntries(statuses.map((status) => [status, outcomeOf(status)]))).toEqual({
    failed: 'failed',
    errored: 'cantTell',
    warned: 'failed',
    'known-failure': 'failed',
    'not-tested': 'untested',
    passed: 'passed',
  });
});

test('every name in the file has a prefix of its context', () => {
  const { '@context': context, ...rest } = JSON.parse(earlJson(aRun([aFailure('headers.beta')])));
  const keys = new Set<string>();
  JSON.stringify(rest, (key, value) => {
    if (!/^(\d*|@\w+)$/.test(key)) keys.add(key.split(':')[0] ?? '');
    return value;
  });
  expect(Object.keys(context)).toEqual(expect.arrayContaining([...keys]));
});
