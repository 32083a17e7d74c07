import { expect, test } from 'vitest';
import type { ReportedExchange } from '../../suites/result.ts';
import { decisionOf } from './conditions.ts';

const exchange: ReportedExchange = {
  id: 1,
  tool: 'library.get',
  role: 'primary',
  credential: 'primary',
  atMs: 0,
  durationMs: 1,
  request: { method: 'POST', url: 'http://x/', headers: [], body: '{"workspace":"nörth"}' },
  response: { status: 200, headers: [], body: '{"ok":true}' },
  problem: null,
  curl: '',
};

const decided = (expected: string, actual = '') =>
  decisionOf({ expected, actual, hint: '', exchanges: [1] }, [exchange])?.conditions;

test.each([
  ['HTTP 401', [{ kind: 'is', part: 'status', values: ['401'] }]],
  ['x-service-api: beta', [{ kind: 'is', part: 'header x-service-api', values: ['beta'] }]],
  ['the body of schedule.read with no credential: {}', [{ kind: 'same', part: 'body' }]],
  [
    'the headers of a.b with primary (x-a: 1; x-b: 2)',
    ['x-a', 'x-b'].map((name) => ({ kind: 'same', part: `header ${name}` })),
  ],
  ['hits[].relevance to be a number', [{ kind: 'each', part: '.hits', member: '.relevance', pattern: '(^-?[0-9])' }]],
  ['week_block_id to be a string or null', [{ kind: 'like', part: '.week_block_id', pattern: '(^")|(^null$)' }]],
  ['count 2', [{ kind: 'is', part: '.count', values: ['2'] }]],
  ['run_id null', [{ kind: 'is', part: '.run_id', values: ['null'] }]],
  ['days to begin at week_start, "2027-01-04"', [{ kind: 'agree', part: '.days[0]', other: '.week_start' }]],
])('%s', (expected, conditions) => {
  expect(decided(expected)).toEqual(conditions);
});

test('the invalid field is the one that the finding names', () => {
  const conditions = decided('an issue whose path names the invalid field', '"day" is invalid, and the issues are []');
  expect(conditions).toContainEqual(expect.objectContaining({ kind: 'some', part: '.issues' }));
  expect(decided('an issue whose path names the invalid field', 'no issues')).toBeUndefined();
});

test('a value that a finding cuts short is taken from the request, in both spellings', () => {
  expect(decided('workspace "nö… (900 characters in total)')).toEqual([
    { kind: 'is', part: '.workspace', values: ['"nörth"', '"n\\u00f6rth"'] },
  ]);
});

test('other words decide nothing', () => {
  expect(decided('something that the kit never says')).toBeUndefined();
});
