import { expect, test } from 'vitest';
import { aFailure, anExchange, aRun } from '../../test/reports/results.ts';
import { causesOf } from './causes.ts';

const long = `[{"path":["workspace"],"message":"${'Too small. '.repeat(9)}"}]`;

test.for([
  ['count 2', 'count 1', 'returns `count` 2 instead of 1'],
  ['count "2"', 'count 2', 'returns `count` as a string'],
  [
    'working_in.source null',
    'working_in.source one of a, b',
    'returns `working_in.source` null instead of one of a, b',
  ],
  ['hits[4].relevance null', 'hits[].relevance to be a number', 'returns `hits[].relevance` null instead of a number'],
  [
    'workspaces ["north"]',
    'schedule.read: workspaces to list at least two distinct slugs',
    'returns `workspaces` `["north"]` instead of at least two distinct slugs',
  ],
  ['issues (missing)', 'issues to be a non-empty array', 'returns no `issues`'],
  ['no roll in items[0], which has kind, id', 'items[].roll to be present', 'returns `items` without `roll`'],
  ['no roll in the body, which has ok', 'roll to be present', 'returns no `roll`'],
  [
    `issues ${long}`,
    'issues to be an array of {path: string, message: string}',
    `returns \`issues\` \`${long.slice(0, 60)}…\` instead of an array of {path: string, message: string}`,
  ],
  [
    'workspace "south", which an earlier request named',
    'workspace "east", as before without an argument',
    'returns `workspace` "south", which an earlier request named, instead of "east", as before without an argument',
  ],
  ['retry_after 0', 'no retry_after', 'returns `retry_after` with status 200, which must not have it'],
  [
    '"count" is invalid, and the issues are []',
    'an issue whose path names the invalid field',
    'does not name the invalid field `count` in `issues`',
  ],
  [
    'HTTP 200 with ok false, code "no_batches"',
    'HTTP 400 with error code "tenant_api.malformed_body"',
    'returns `no_batches` instead of 400 `tenant_api.malformed_body`',
  ],
  [
    'HTTP 200 with ok true, status "pending"',
    'ok true with status "confirmation_required"',
    'returns status `pending` instead of status `confirmation_required`',
  ],
  [
    'HTTP 200 with ok true',
    "schedule.read to refuse a workspace that the key in the role 'sole' does not reach",
    "accepts a workspace that the key in the role 'sole' does not reach",
  ],
  [
    'HTTP 429 with error code "tenant_mcp.rate_limited"',
    'the key to be served again after 60 s',
    'returns 429 `tenant_mcp.rate_limited`; expected the key to be served again after 60 s',
  ],
  [
    `HTTP 200 with [{"ok":true,… (851 characters in total)`,
    'a JSON object as body',
    'returns HTTP 200 with [{"ok":true,…; expected a JSON object as body',
  ],
  ['5 entries', '7 entries in days', 'returns 5 entries in `days` instead of 7'],
  ['2 dispatched', '1 of 3 simultaneous confirmations to dispatch', 'dispatches 2 of 3 simultaneous confirmations'],
  ['run_id "a" twice', 'a different run_id for each dispatch', 'returns `run_id` "a" twice'],
  ['no piece_id', 'the fields piece_id, format', 'returns no `piece_id`'],
  ['also error.cap', 'no key beside error', 'returns the additional member `error.cap`'],
  ['error code "a"', 'error code "b"', 'returns error code `a` instead of error code `b`'],
  ['25446', 'the balance to stay at 25482', 'returns: 25446; expected the balance to stay at 25482'],
] as const)('%s for %s is in plain words', ([actual, expected, title]) => {
  const [cause] = causesOf(aRun([aFailure('schedule.answers', { expected, actual })], { exchanges: [anExchange(1)] }));
  expect(cause?.title).toBe(`\`schedule.read\` ${title}`);
});

test('a title names the key and how the request sends it', () => {
  const exchange = anExchange(1, { credential: 'primary, scheme Token' });
  const failure = aFailure('authentication.other-scheme', { expected: 'HTTP 401', actual: 'HTTP 404' });
  expect(causesOf(aRun([failure], { exchanges: [exchange] }))[0]?.title).toBe(
    '`schedule.read` returns 404 instead of 401 with the `primary` key (scheme Token)',
  );
});
