import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { reportHtml } from '../../reports/html/page.ts';
import { summaryMarkdown } from '../../reports/markdown.ts';
import { reportOf } from '../../reports/report.ts';
import { renderSummary } from '../../reports/terminal/summary.ts';
import { createStub } from '../../stub/index.ts';
import type { StubRequest, StubResponse } from '../../stub/server/handle.ts';
import { createDispatcher } from '../../stub/transports/dispatcher.ts';
import { httpServer } from '../../test/network.ts';
import { inProcess, overHttp } from '../../test/stub-target.ts';
import { defaultPace } from '../target/target.ts';
import { audit } from './audit.ts';
import { withoutRepetition } from './recognition.ts';

/** Runs the kit with default options and one key against a server that is not the API. */
async function runAgainst(answer: RequestListener, path = '') {
  let requests = 0;
  await using server = await httpServer((request, response) => {
    requests += 1;
    answer(request, response);
  });
  const stub = createStub({ seed: 1 });
  const { primary } = inProcess(stub).keys;
  const baseUrl = `http://127.0.0.1:${server.port}${path}`;
  const keys = primary === undefined ? {} : { primary };
  const target = overHttp(stub, baseUrl, { allow: [], keys, pace: defaultPace });
  const result = await audit(target, { seed: 1 });
  return { result, requests, baseUrl, url: `${baseUrl}/api/v1/tools/credits.balance`, keys };
}

const page =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);

const json = (status: number, body: object): RequestListener =>
  page(status, JSON.stringify(body), { 'content-type': 'application/json' });

const login = '\n<!doctype html><title>Log in</title>\n<form action="/login"></form>';

test.each<[string, RequestListener, string]>([
  ['a login page', page(200, login), 'returned 200 and a body that begins with <!doctype html><title>Log in</title>'],
  [
    'a redirect to single sign-on',
    page(302, '', { location: 'https://sso.example.test/?next=1' }),
    'returned 302 with a redirect to "https://sso.example.test/?next=1" and an empty body',
  ],
  [
    'a gateway without its server',
    page(502, '<h1>Bad Gateway</h1>\n'),
    'returned 502 and a body that begins with <h1>',
  ],
  ['a page of 12 MB at every path', page(200, '<p>'.repeat(4_000_000)), 'returned 200 and a body that begins with <p>'],
  [
    '404 of another framework',
    json(404, { detail: 'Not Found' }),
    'returned 404 and a body that begins with {"detail"',
  ],
  ['403 of a firewall', page(403, '<h1>Forbidden</h1>'), 'returned 403 and a body that begins with <h1>Forbidden</h1>'],
])('%s is not the API: the run ends within ten requests', async (_, answer, said) => {
  const { result, requests, url } = await runAgainst(answer);
  expect(requests).toBeLessThanOrEqual(10);
  expect(result.verdict).toBe('inconclusive');
  expect(reportOf(result).exitCode).toBe(3);
  expect(result.trouble).toEqual([expect.stringContaining(`this is not the API: ${url} ${said}`)]);
  const forms = [
    renderSummary(reportOf(result), { color: false, reportDir: 'tck-report', written: true }).replace(/\s+/g, ' '),
    reportHtml(reportOf(result)),
    summaryMarkdown(reportOf(result)),
  ];
  for (const text of forms) {
    expect(text).toContain('this is not the API');
    expect(text).not.toMatch(/what to add|To test more|makes .* testable/i);
  }
});

test('a base URL that repeats a part of the path is named, with a suggestion', async () => {
  const { result, baseUrl } = await runAgainst(json(404, { message: 'no route' }), '/edge/api/v1');
  const origin = new URL(baseUrl).origin;
  expect(result.trouble).toEqual([expect.stringContaining(`Try the base URL ${origin}/edge`)]);
});

test.each([
  ['https://host/api/v1', 'https://host'],
  ['https://host/edge/v9/api', 'https://host/edge/v9'],
  ['https://host/edge/edge', 'https://host/edge'],
  ['https://host/api/v1/tools', 'https://host'],
  ['https://host/edge/v9', undefined],
  ['https://host', undefined],
])('of %s the suggestion is %s', (baseUrl, expected) => {
  expect(withoutRepetition(`${baseUrl}/api/v1/tools/credits.balance`)).toBe(expected);
});

test('if every key is refused, the code and the message of the server are shown, without the key', async () => {
  const { result, requests, keys } = await runAgainst((request, response) => {
    const { authorization = '' } = request.headers;
    const error = { code: 'tenant_mcp.surface_disabled', message: `Closed.\u001b[31m for ${authorization.slice(7)}` };
    json(403, { error })(request, response);
  });
  expect(requests).toBe(2);
  const [trouble = ''] = result.trouble;
  expect(trouble).toContain('the deployment refuses every key (primary) with 403: "tenant_mcp.surface_disabled"');
  expect(trouble).toContain('Closed.');
  expect(trouble).not.toContain(keys.primary?.key);
  expect(renderSummary(reportOf(result), { color: false, reportDir: 'tck-report', written: true })).not.toContain(
    '\u001b',
  );
  expect(reportOf(result).exitCode).toBe(3);
});

test('a server that accepts connections and never responds ends the run', async () => {
  const { result, requests } = await runAgainst(() => undefined);
  expect(requests).toBeLessThanOrEqual(10);
  expect(result.trouble).toEqual(['no response within timeoutSeconds, which is 10']);
  expect(reportOf(result).exitCode).toBe(3);
});

const changed = (response: StubResponse, change: Partial<StubResponse>): StubResponse => ({ ...response, ...change });
const isOf = ({ path }: StubRequest, ...tools: string[]) => tools.some((tool) => path.endsWith(`/${tool}`));
const withoutHeader = ({ headers: { 'x-service-api': _, ...headers } }: StubResponse) => headers;

test.each<[string, (request: StubRequest, response: StubResponse) => StubResponse]>([
  [
    'HTML for one tool',
    (request, response) =>
      isOf(request, 'credits.balance') ? changed(response, { body: '<h1>Oops</h1>', headers: {} }) : response,
  ],
  [
    'the wrong status for one tool',
    (request, response) => (isOf(request, 'credits.balance') ? changed(response, { status: 404 }) : response),
  ],
  [
    '500 for two tools',
    (request, response) =>
      isOf(request, 'credits.balance', 'schedule.read') ? { status: 500, headers: {}, body: '' } : response,
  ],
  ['no header that names the API', (_, response) => changed(response, { headers: withoutHeader(response) })],
  [
    'errors without an envelope',
    (_, response) => (response.status >= 400 ? changed(response, { body: '{"message":"no"}' }) : response),
  ],
  [
    'text/html as content type',
    (_, response) => changed(response, { headers: { ...response.headers, 'content-type': 'text/html' } }),
  ],
])('a deployment with one defect is tested: %s', async (_, deviate) => {
  const stub = createStub({ seed: 1, rateLimit: 5000 });
  const dispatcher = createDispatcher((request) => deviate(request, stub.handle(request)));
  const result = await audit(inProcess(stub, { dispatcher }), {
    seed: 1,
    observe: false,
    only: ['headers', 'envelopes', 'credits', 'schedule'],
  });
  expect(result.trouble).toEqual([]);
  expect(result.verdict).toBe('non-conformant');
  expect(result.summary.requests).toBeGreaterThan(10);
});
