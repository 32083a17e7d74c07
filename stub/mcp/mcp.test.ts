import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toolDefinitions } from '../../fixtures/contract/tool-definitions.ts';
import { startTck } from '../../test/tck.ts';
import { createStub } from '../index.ts';
import { besideFor, loadMcp, mcpUrlOf } from './load.ts';

const stub = createStub({});
let url = '';
beforeAll(async () => {
  const { baseUrl } = await stub.listen({ beside: besideFor(await loadMcp(), stub) });
  url = mcpUrlOf(baseUrl);
});
afterAll(() => stub.close());

/** Calls one tool with the SDK client, over a new transport. */
async function call(name: string, args: Record<string, unknown>, key: string | undefined = stub.keys.primary) {
  const headers: Record<string, string> = key === '' ? {} : { authorization: `Bearer ${key}` };
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const { content, isError, structuredContent } = await client.callTool({ name, arguments: args });
  await client.close();
  return { isError, structuredContent, text: (content as { text: string }[])[0]?.text ?? '' };
}

test('a tool call over Streamable HTTP is a request to the API, with the key of the MCP request', async () => {
  const { isError, text, structuredContent } = await call('credits_balance', {}, stub.keys.otherAccount);
  expect({ isError, ok: JSON.parse(text).ok }).toEqual({ isError: false, ok: true });
  expect(structuredContent).toEqual(JSON.parse(text));
  const [event] = stub.journal().events.slice(-1);
  expect(event).toMatchObject({ kind: 'exchange', tool: 'credits.balance', role: 'otherAccount' });
});

test('refusals, error responses and unknown tools are errors, as the API words them', async () => {
  const refused = await call('schedule_read', {}, stub.keys.ambiguous);
  expect(refused.isError).toBe(true);
  expect(JSON.parse(refused.text)).toMatchObject({ code: 'workspace_ambiguous' });
  const unknown = await call('no_such_tool', {});
  expect(unknown.isError).toBe(true);
  expect(JSON.parse(unknown.text)).toHaveProperty('error.code');
});

const batch = JSON.stringify(Array.from({ length: 101 }, () => ({})));
test.each([
  ['a missing key', undefined, '{}', [401, 'tenant_api.credential_refused']],
  ['a revoked key', stub.keys.revoked, '{}', [401, 'tenant_api.credential_refused']],
  ['a closed account', stub.keys.accountSwitchOff, '{}', [403, 'tenant_mcp.surface_disabled']],
  ['a large batch', stub.keys.primary, batch, [400, 'tenant_mcp.batch_too_large']],
])('%s gets the error response of the API, with initialize too', async (_, key, body, expected) => {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const answer = await request(url, { method: 'POST', headers, body });
  const { error } = (await answer.body.json()) as { error: { code: string } };
  expect([answer.statusCode, error.code]).toEqual(expected);
  expect(answer.headers['x-service-api']).toBe('beta');
});

test('faults reach the agent as text', async () => {
  stub.faults.add({ status: 502, body: '<html>' }, { drop: 'after' });
  expect(await call('credits_balance', {})).toMatchObject({ isError: true, text: 'HTTP 502\n<html>' });
  expect((await call('credits_balance', {})).text).toContain('may have taken effect');
});

test.each([
  ['an Origin of another site', { origin: 'https://evil.example.test' }],
  ['the Origin null', { origin: 'null' }],
  ['Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
  ['a name that was bound to this machine', { host: 'rebound.example.test' }],
])('a request with %s gets 403', async (_, headers) => {
  const { statusCode, body } = await request(url, { method: 'POST', headers, body: '{}' });
  expect([statusCode, await body.json()]).toEqual([403, { problem: expect.stringContaining('/mcp') }]);
});

test('requests other than POST get 405', async () => {
  expect((await fetch(url)).status).toBe(405);
});

test('tck stub --mcp stdio serves the agent that starts it', async () => {
  const client = new Client({ name: 'test', version: '1' });
  const cli = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
  const args = [cli, 'stub', '--mcp', 'stdio'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  const { tools } = await client.listTools();
  expect(tools).toEqual(toolDefinitions('mcp'));
  expect(await client.callTool({ name: 'credits_balance', arguments: {} })).toMatchObject({ isError: false });
  await client.close();
});

/** Hides the SDK from Node.js, to simulate a machine without the optional package. */
const withoutSdk = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  const resolve = (name, context, next) => next(name.startsWith('@modelcontext') ? 'missing' : name, context);
  registerHooks({ resolve });
`)}`;

test('without the SDK, --mcp asks for it in one sentence', async () => {
  const { code, stderr } = await startTck(['stub', '--mcp'], { env: { NODE_OPTIONS: `--import=${withoutSdk}` } }).ended;
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'tck: --mcp needs the package @modelcontextprotocol/server: install it beside this one ' +
      '(npm install @modelcontextprotocol/server)\n',
  });
});
