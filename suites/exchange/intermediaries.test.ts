import { expect, test } from 'vitest';
import { boundaryCodes } from '../../fixtures/contract/codes.ts';
import type { Completed, Headers, Request } from './exchange.ts';
import { isRefusable, mayComeFromIntermediary } from './intermediaries.ts';

const tools = 'http://127.0.0.1:4010/edge/api/v1/tools/';

const refused = (tool: string, more: Partial<Request> = {}) =>
  isRefusable({ url: tools + tool, headers: [['content-type', 'application/json']], body: '{}', ...more });

test.each([
  ['a NUL', 'schedule.read%00'],
  ['a line feed', 'schedule.read%0a'],
  ['a control character of Unicode', 'schedule.read%C2%85'],
  ['a percent sign alone', 'schedule.read%'],
  ['percent-encoding that is not hexadecimal', 'schedule.read%zz'],
  ['percent-encoding that is not UTF-8', 'schedule.read%ff'],
  ['a query with a NUL', 'schedule.read?a=%00'],
  ['a very long path', `schedule.${'read'.repeat(600)}`],
])('intermediaries may refuse %s', (_what, tool) => {
  expect(refused(tool)).toBe(true);
});

test.each<[string, Partial<Request>]>([
  ['a very long header', { headers: [['authorization', 'x'.repeat(8192)]] }],
  ['many headers', { headers: Array.from({ length: 200 }, (_, index) => [`x-${index}`, 'x'.repeat(60)]) }],
  ['a header with a control character', { headers: [['x-odd', 'a\u0000b']] }],
  ['a very large body', { body: 'x'.repeat(200_000) }],
  ['a very large body that was not kept', { body: null, headers: [['content-length', '2000000']] }],
])('intermediaries may refuse %s', (_what, more) => {
  expect(refused('schedule.read', more)).toBe(true);
});

test.each([
  'schedule.read',
  'schedule.reads',
  'schedule%2Eread',
  'schedule%252Eread',
  'schedule..read',
  '%22schedule.read%22',
  '%E4%BA%88%E5%AE%9A',
  'schedule.read%20',
  'schedule.read;v=2?a=b&c=%26',
  `tck.${'long'.repeat(60)}`,
])('intermediaries pass on %s', (tool) => {
  expect(refused(tool)).toBe(false);
});

test('intermediaries pass on the largest array that the kit sends', () => {
  expect(refused('schedule.read', { body: `[${'0,'.repeat(9_999)}0]` })).toBe(false);
});

test('intermediaries pass on headers with tabs and letters of other scripts', () => {
  expect(refused('schedule.read', { headers: [['x-note', 'a\tb \u00e9']] })).toBe(false);
});

test.each<[string, string, Headers, string, boolean]>([
  ['a gateway refuses a path', 'schedule.read%ff', [], 'x', true],
  [
    'the API blames the body for a path',
    'schedule.read%ff',
    [['x-service-api', 'beta']],
    boundaryCodes.malformedBody,
    false,
  ],
  ['the API refuses a path', 'schedule.read%ff', [['x-service-api', 'beta']], 'tenant_api.bad_path', true],
  ['the API refuses an ordinary path', 'schedule.read', [], boundaryCodes.malformedBody, false],
])('whether an intermediary may have answered: %s', (_, tool, headers, code, expected) => {
  const request = { url: tools + tool, headers: [], body: '{}', args: {} };
  const response = { status: 400, headers, json: { error: { code } } };
  // Only these members matter.
  const exchange = { request, response, refusable: isRefusable(request) } as unknown as Completed;
  expect(mayComeFromIntermediary(exchange)).toBe(expected);
});
