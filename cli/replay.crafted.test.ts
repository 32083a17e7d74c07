import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { toolsPath } from '../fixtures/contract/tools.ts';
import { reportJson } from '../reports/json.ts';
import { createStub, type Stub } from '../stub/index.ts';
import type { ReportedExchange } from '../suites/result.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { httpServer, type Listener } from '../test/network.ts';
import { aFailure, anExchange, aRun } from '../test/reports/results.ts';
import { Sink } from '../test/reports/sink.ts';
import { replay } from './replay.ts';

interface Arrived {
  method: string;
  url: string;
  authorization: string | undefined;
  body: string;
  headers: IncomingMessage['headers'];
}

let folder: string;
let stub: Stub;
let server: Listener;
let url: string;
const arrived: Arrived[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-crafted-'));
  server = await httpServer(async (request, response) => {
    const answer = await leniently(request, await text(request));
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  url = `http://127.0.0.1:${server.port}`;
});

beforeEach(() => {
  stub = createStub({ seed: 4 });
  arrived.length = 0;
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** The stub behind a gateway with lenient routing: every request that could reach a tool does. */
async function leniently(request: IncomingMessage, body: string): Promise<Response> {
  const { method = '', headers } = request;
  const { authorization } = headers;
  arrived.push({ method, url: request.url ?? '', authorization, body, headers });
  const asked = String(headers['x-original-url'] ?? request.url).split('?')[0] ?? '';
  const decoded = decodeURIComponent(decodeURIComponent(asked)).replaceAll('\\', '/').replace(/;.*/, '');
  const key = authorization?.split(' ').at(-1);
  return stub.fetch(`${url}${posix.normalize(decoded).trim().toLowerCase()}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    ...(body === '' ? {} : { body }),
  });
}

/** A report whose only finding has a forged request. */
async function craftedReport(over: Partial<ReportedExchange>, request: Partial<ReportedExchange['request']>) {
  const exchange = anExchange(1, over);
  const path = join(folder, 'report.json');
  const shown = { ...exchange, request: { ...exchange.request, ...request } };
  const target = { ...aRun([]).target, baseUrl: url };
  await writeFile(path, reportJson(aRun([aFailure('credits.balance')], { target, exchanges: [shown] })));
  return path;
}

async function replayed(report: string, ...args: string[]) {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const { signal } = new AbortController();
  const env = { TCK_KEY_PRIMARY: stub.keys.primary };
  const code = await replay.run([report, ...args], { env, cwd: folder, stdout, stderr, hide: () => {}, signal });
  return { code, stdout: stdout.text };
}

const here = () => ({ workspace: stub.workspaces[0]?.slug, board: stub.workspaces[0]?.board });

const proposal = () => {
  return JSON.stringify({ ...here(), brief: 'a cup', count: 4, shape: '1:1' });
};
const content = () => JSON.stringify({ workspace: here().workspace, format: 'posts', day: '2026-03-02' });

const names = [
  ...['x/../images.generate', '../../admin', '..\\images.generate', 'x/..\\images.generate', './images.generate'],
  ...['%2e%2e/images.generate', '..%2fimages.generate', 'x%2F..%2Fimages.generate', '%2e%2e%2f%2e%2e%2fadmin'],
  ...['images%2Egenerate', 'images%252Egenerate', 'Images.Generate', 'images.generate%20', ' images.generate'],
  ...[
    'images.generate/',
    'images.generate;x=1',
    'images.generate?x',
    'images.generate#x',
    'images\t.generate',
    '',
    '..',
  ],
];

test.each(names)('a request to %j neither spends nor leaves the tools', async (tool) => {
  const report = await craftedReport({ tool }, { url: `${url}${toolsPath}${tool}`, body: proposal() });
  for (const allow of ['none', 'proposals']) await replayed(report, '--url', url, '--allow', allow);
  expect(stub.stats).toMatchObject({ proposals: 0, imagesDispatched: 0, contentRequestsCreated: 0 });
  expect(arrived.length).toBeGreaterThan(0);
  for (const { url: path, body } of arrived) {
    expect(path).toMatch(/^\/api\/v1\/tools\/[\w.-]+$/);
    expect(body).not.toContain('brief');
  }
});

const headers: readonly (readonly [string, string])[] = [
  ['x-original-url', `${toolsPath}images.generate`],
  ['x-http-method-override', 'DELETE'],
  ['host', 'elsewhere.example.test'],
  ['transfer-encoding', 'chunked'],
];

test.each(headers)('a header %s that is not configured is not sent', async (name, value) => {
  const report = await craftedReport(
    {},
    {
      headers: [
        ['content-type', 'application/json'],
        [name, value],
      ],
    },
  );
  const { stdout } = await replayed(report, '--url', url, '--allow', 'all');
  expect(stdout).toContain('the configuration does not have one of its headers');
  expect(arrived.length).toBeGreaterThan(0);
  for (const { headers } of arrived) expect(headers[name]).not.toBe(value);
  expect(stub.stats.imagesDispatched).toBe(0);
});

test.each(['DELETE', 'PUT', 'CONNECT', 'BREW'])('%s is not sent with a key', async (method) => {
  const { code, stdout } = await replayed(await craftedReport({}, { method }), '--url', url, '--allow', 'all');
  expect([code, stdout]).toEqual([3, expect.stringContaining('not told')]);
  expect(arrived.filter((each) => each.method !== 'POST')).toEqual([]);
});

test('what an observation sends is sent without a key', async () => {
  const credential = 'no credential';
  await replayed(await craftedReport({ credential, role: null }, { method: 'DELETE', body: null }), '--url', url);
  const others = arrived.filter((each) => each.method !== 'POST');
  const sent = { method: 'DELETE', url: `${toolsPath}schedule.read`, authorization: undefined, body: '' };
  expect(others).toEqual([expect.objectContaining(sent)]);
});

const effects: readonly (readonly [string, string, () => string])[] = [
  ['images.generate', 'primary', proposal],
  ['images.generate', 'primary, scheme Token', proposal],
  ['images.generate', 'primary, no scheme', proposal],
  ['content.create_request', 'primary', content],
  ['content.create_request', 'primary, scheme bearer', content],
];

test.each(effects)('%s with the key %s does nothing that is not allowed', async (tool, credential, body) => {
  const report = await craftedReport({ tool, credential }, { url: `${url}${toolsPath}${tool}`, body: body() });
  const { code } = await replayed(report, '--url', url, '--allow', 'none');
  expect(code).toBe(3);
  expect(stub.stats).toMatchObject({ proposals: 0, imagesDispatched: 0, contentRequestsCreated: 0 });
});

test.each(['primary, scheme Token', 'primary, no scheme'])(
  'without arguments %s goes to no such tool either',
  async (credential) => {
    for (const tool of ['images.generate', 'content.create_request']) {
      const report = await craftedReport({ tool, credential }, { url: `${url}${toolsPath}${tool}`, body: '{}' });
      await replayed(report, '--url', url, '--allow', 'none');
    }
    expect(arrived.filter((each) => /images|create/.test(each.url))).toEqual([]);
  },
);

test('nor does a tool whose name ends with a blank', async () => {
  for (const tool of ['images.generate%20', 'content.create_request%20']) {
    const report = await craftedReport({ tool }, { url: `${url}${toolsPath}${tool}`, body: '{}' });
    await replayed(report, '--url', url, '--allow', 'none');
  }
  expect(arrived.filter((each) => each.url.endsWith('%20'))).toEqual([]);
});

test.each([
  (id: string) => ({ body: `{"confirmation_id":${JSON.stringify(id)},"confirmation_id":""}` }),
  (id: string) => ({ body: JSON.stringify({ confirmation_id: [id] }) }),
  (id: string) => ({ url: `${url}${toolsPath}images.generate?confirmation_id=${id}`, body: proposal() }),
])('a live confirmation id in a report is not presented (%#)', async (request) => {
  const tool = 'images.generate';
  const headers = { authorization: `Bearer ${stub.keys.primary}`, 'content-type': 'application/json' };
  const proposed = await stub.fetch(`${url}${toolsPath}${tool}`, { method: 'POST', headers, body: proposal() });
  const { confirmation_id: id } = await proposed.json();
  expect(id).toEqual(expect.any(String));
  const report = await craftedReport({ tool }, { url: `${url}${toolsPath}${tool}`, ...request(id) });
  await replayed(report, '--url', url, '--allow', 'proposals');
  expect(arrived.filter((each) => (each.url + each.body).includes(id))).toEqual([]);
  expect(stub.stats.imagesDispatched).toBe(0);
});

test('no key goes to an address that only the report names, unless a person at the terminal says so', async () => {
  const report = await craftedReport({}, {});
  const replaying = replayed(report, '--allow', 'none');
  await expect(replaying).rejects.toThrow(UsageError);
  await expect(replaying).rejects.toThrow(`the address ${url} is only in the report: pass --url ${url}`);
  expect(arrived).toEqual([]);

  const asked: string[] = [];
  const answering = (answer: string) => {
    const around = { env: { TCK_KEY_PRIMARY: stub.keys.primary }, cwd: folder, stdout: new Sink(), stderr: new Sink() };
    const ask = async (question: string) => {
      asked.push(question);
      return answer;
    };
    return replay.run([report, '--allow', 'none'], {
      ...around,
      hide: () => {},
      signal: new AbortController().signal,
      ask,
    });
  };
  await expect(answering('')).rejects.toThrow(UsageError);
  expect(arrived).toEqual([]);
  await answering('y');
  expect(arrived.length).toBeGreaterThan(0);
  expect(asked).toHaveLength(2);
  expect(asked[0]).toContain(url);
});
