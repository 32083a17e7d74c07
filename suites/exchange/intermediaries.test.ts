import { expect, test } from 'vitest';
import { boundaryCodes } from '../../fixtures/contract/codes.ts';
import type { Completed, Headers, Request } from './exchange.ts';
import { isRefusable, mayComeFromIntermediary } from './intermediaries.ts';

const long = 'x'.repeat(60);
const tools = 'http://127.0.0.1:4010/edge/api/v1/tools/';

test.each<[what: string, refusable: boolean, tool: string, more?: Partial<Request>]>([
  ['a NUL', true, 'schedule.read%00'],
  ['a line feed', true, 'schedule.read%0a'],
  ['a control character of Unicode', true, 'schedule.read%C2%85'],
  ['a percent sign alone', true, 'schedule.read%'],
  ['percent-encoding that is not hexadecimal', true, 'schedule.read%zz'],
  ['percent-encoding that is not UTF-8', true, 'schedule.read%ff'],
  ['a query with a NUL', true, 'schedule.read?a=%00'],
  ['a very long path', true, `schedule.${'read'.repeat(600)}`],
  ['a very long header', true, 'schedule.read', { headers: [['authorization', 'x'.repeat(8192)]] }],
  ['many headers', true, 'schedule.read', { headers: Array.from({ length: 200 }, (_, at) => [`x-${at}`, long]) }],
  ['a header with a control character', true, 'schedule.read', { headers: [['x-odd', 'a\u0000b']] }],
  ['a very large body', true, 'schedule.read', { body: 'x'.repeat(200_000) }],
  ['a large body that was not kept', true, 'schedule.read', { body: null, headers: [['content-length', '2000000']] }],
  ['a tool', false, 'schedule.read'],
  ['an encoded dot', false, 'schedule%2Eread'],
  ['a dot that is encoded twice', false, 'schedule%252Eread'],
  ['two dots', false, 'schedule..read'],
  ['quotation marks', false, '%22schedule.read%22'],
  ['letters of another script', false, '%E4%BA%88%E5%AE%9A'],
  ['a space', false, 'schedule.read%20'],
  ['parameters and a query', false, 'schedule.read;v=2?a=b&c=%26'],
  ['a long name', false, `tck.${'long'.repeat(60)}`],
  ['the largest array that the kit sends', false, 'schedule.read', { body: `[${'0,'.repeat(9_999)}0]` }],
  ['headers with tabs and other letters', false, 'schedule.read', { headers: [['x-note', 'a\tb \u00e9']] }],
])('intermediaries may refuse %s: %s', (_, refusable, tool, more = {}) => {
  const request = { url: tools + tool, headers: [['content-type', 'application/json']] as const, body: '{}', ...more };
  expect(isRefusable(request)).toBe(refusable);
});

const beta: Headers = [['x-service-api', 'beta']];
test.each<[string, string, Headers, string, boolean]>([
  ['a gateway refuses a path', 'schedule.read%ff', [], 'x', true],
  ['the API blames the body for a path', 'schedule.read%ff', beta, boundaryCodes.malformedBody, false],
  ['the API refuses a path', 'schedule.read%ff', beta, 'tenant_api.bad_path', true],
  ['the API refuses an ordinary path', 'schedule.read', [], boundaryCodes.malformedBody, false],
])('whether an intermediary may have answered: %s', (_, tool, headers, code, expected) => {
  const request = { url: tools + tool, headers: [], body: '{}', args: {} };
  const response = { status: 400, headers, json: { error: { code } } };
  // Only these members matter.
  const exchange = { request, response, refusable: isRefusable(request) } as unknown as Completed;
  expect(mayComeFromIntermediary(exchange)).toBe(expected);
});
