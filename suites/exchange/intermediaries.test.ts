import { expect, test } from 'vitest';
import { boundaryCodes } from '../../fixtures/contract/codes.ts';
import type { Completed, Headers, Request } from './exchange.ts';
import { isRefusable, mayComeFromIntermediary } from './intermediaries.ts';

const long = 'x'.repeat(60);
const tools = 'http://127.0.0.1:4010/edge/api/v1/tools/';

test.each<[what: string, tool: string, refusable: boolean, more?: Partial<Request>]>([
  ['a NUL', 'schedule.read%00', true],
  ['a line feed', 'schedule.read%0a', true],
  ['a control character of Unicode', 'schedule.read%C2%85', true],
  ['a percent sign alone', 'schedule.read%', true],
  ['percent-encoding that is not hexadecimal', 'schedule.read%zz', true],
  ['percent-encoding that is not UTF-8', 'schedule.read%ff', true],
  ['a query with a NUL', 'schedule.read?a=%00', true],
  ['a very long path', `schedule.${'read'.repeat(600)}`, true],
  ['a very long header', 'schedule.read', true, { headers: [['authorization', 'x'.repeat(8192)]] }],
  ['many headers', 'schedule.read', true, { headers: Array.from({ length: 200 }, (_, at) => [`x-${at}`, long]) }],
  ['a header with a control character', 'schedule.read', true, { headers: [['x-odd', 'a\u0000b']] }],
  ['a very large body', 'schedule.read', true, { body: 'x'.repeat(200_000) }],
  ['a large body that was not kept', 'schedule.read', true, { body: null, headers: [['content-length', '2000000']] }],
  ['a tool', 'schedule.read', false],
  ['an encoded dot', 'schedule%2Eread', false],
  ['a dot that is encoded twice', 'schedule%252Eread', false],
  ['two dots', 'schedule..read', false],
  ['quotation marks', '%22schedule.read%22', false],
  ['letters of another script', '%E4%BA%88%E5%AE%9A', false],
  ['a space', 'schedule.read%20', false],
  ['parameters and a query', 'schedule.read;v=2?a=b&c=%26', false],
  ['a long name', `tck.${'long'.repeat(60)}`, false],
  ['the largest array that the kit sends', 'schedule.read', false, { body: `[${'0,'.repeat(9_999)}0]` }],
  ['headers with tabs and other letters', 'schedule.read', false, { headers: [['x-note', 'a\tb \u00e9']] }],
])('intermediaries may refuse %s (%s): %s', (_, tool, refusable, more = {}) => {
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
