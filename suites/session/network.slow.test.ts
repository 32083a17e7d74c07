import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStub, type Stub } from '../../stub/index.ts';
import {
  connectProxy,
  delayedInFrontOf,
  httpServer,
  type Listener,
  privateAuthority,
  tlsInFrontOf,
} from '../../test/network.ts';
import { type Ended, tckProcess } from '../../test/tck.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const folder = temporaryFolder();
let stub: Stub;
let port: number;
let env: Record<string, string>;

beforeAll(async () => {
  stub = createStub();
  port = Number(new URL((await stub.listen({ port: 0 })).baseUrl).port);
  env = { TCK_KEY_PRIMARY: stub.keys.primary };
});

afterAll(async () => {
  await stub.close();
});

/** Runs the kit with a few reading requirements. */
function run(url: string, more: Record<string, string> = {}, args: readonly string[] = []): Promise<Ended> {
  return tckProcess(['run', url, '--only', 'credits,schedule', '--out', folder, ...args], { env: { ...env, ...more } });
}

test('https with a private authority, directly and through the proxies of the environment', async () => {
  const certificates = await privateAuthority();
  const authority = join(folder, 'authority.pem');
  await writeFile(authority, certificates.authority);
  await using server = await tlsInFrontOf(port, certificates);
  await using proxy = await connectProxy();
  const url = `https://localhost:${server.port}`;
  const trusting = { NODE_EXTRA_CA_CERTS: authority };
  const proxied = { ...trusting, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
  const none = [] as const;
  for (const [environment, code, asked] of [
    [trusting, 0, none],
    [{}, 3, none],
    [{ ...proxied, NO_PROXY: 'localhost' }, 0, none],
    [proxied, 0, [`CONNECT localhost:${server.port}`]],
  ] as const) {
    const ended = await run(url, environment);
    expect(ended.code, ended.stdout).toBe(code);
    if (code === 3) expect(ended.stdout).toContain('self-signed certificate');
    expect([...new Set(proxy.asked)]).toEqual(asked);
  }
});

test('a key for this machine goes through no proxy', async () => {
  await using proxy = await connectProxy();
  const ended = await run(`http://127.0.0.1:${port}`, { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` });
  expect(ended.code, ended.stdout).toBe(0);
  expect(proxy.asked).toEqual([]);
});

/**
 * Server that passes requests to the stub and adds the response headers that `prepare` returns. If `prepare` returns
 * null, the server responds with 421.
 */
async function stubBehind(
  prepare: (headers: Record<string, unknown>) => Record<string, string> | null,
  host?: string,
  prefix = '',
) {
  return httpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const more = prepare(request.headers);
      const path = request.url ?? '';
      if (more === null || !path.startsWith(prefix))
        return response.writeHead(421, { 'content-type': 'text/plain' }).end();
      const { method = '', headers } = request;
      const answer = stub.handle({ method, path: path.slice(prefix.length), headers, body: Buffer.concat(chunks) });
      return response.writeHead(answer.status, { ...answer.headers, ...more }).end(answer.body);
    });
  }, host);
}

test('extra headers of the configuration are sent, and their values are told nowhere', async () => {
  await using gateway = await stubBehind(({ 'x-gateway': token }) => (token === 'gateway-token' ? {} : null));
  const config = join(folder, 'tck.config.json');
  const keys = { primary: { env: 'TCK_KEY_PRIMARY' } };
  const baseUrl = `http://127.0.0.1:${gateway.port}`;
  await writeFile(config, JSON.stringify({ baseUrl, keys, headers: { 'x-gateway': { env: 'GATEWAY' } } }));
  const args = ['run', '--config', config, '--only', 'credits', '--out', folder];
  const ended = await tckProcess(args, { env: { ...env, GATEWAY: 'gateway-token' } });
  expect(ended.code, ended.stdout).toBe(0);
  const wrong = await tckProcess(args, { env: { ...env, GATEWAY: 'another-token' } });
  expect(wrong.code).not.toBe(0);
  expect(wrong.stdout + wrong.stderr).not.toContain('another-token');
});

test.each<[string, () => Promise<Listener>, host?: string, path?: string]>([
  ['a base URL with a path', () => stubBehind(() => ({}), '127.0.0.1', '/edge/v9'), '127.0.0.1', '/edge/v9/'],
  ['an IPv6 address', () => stubBehind(() => ({}), '::1'), '[::1]'],
  ['connections that are closed after every response', () => stubBehind(() => ({ connection: 'close' }))],
  ['connections that the server soon drops', () => stubBehind(() => ({ 'keep-alive': 'timeout=0' }))],
  ['a slow link', () => delayedInFrontOf(port, 150)],
])('%s', async (_, serve, host = '127.0.0.1', path = '') => {
  await using server = await serve();
  const ended = await run(`http://${host}:${server.port}${path}`);
  expect(ended.code, ended.stdout).toBe(0);
});
