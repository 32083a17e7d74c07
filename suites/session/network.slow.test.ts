import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStub, type Stub } from '../../stub/index.ts';
import { connectProxy, delayedInFrontOf, httpServer, privateAuthority, tlsInFrontOf } from '../../test/network.ts';
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

test('https with a private authority, known by NODE_EXTRA_CA_CERTS', async () => {
  const certificates = await privateAuthority();
  const authority = join(folder, 'authority.pem');
  await writeFile(authority, certificates.authority);
  await using server = await tlsInFrontOf(port, certificates);
  const url = `https://localhost:${server.port}`;
  const trusted = await run(url, { NODE_EXTRA_CA_CERTS: authority });
  expect(trusted.code, trusted.stdout).toBe(0);
  const unknown = await run(url);
  expect(unknown.code, unknown.stdout).toBe(3);
  expect(unknown.stdout).toContain('self-signed certificate');
});

test('HTTPS_PROXY is gone through, and NO_PROXY is not', async () => {
  const certificates = await privateAuthority();
  const authority = join(folder, 'authority.pem');
  await writeFile(authority, certificates.authority);
  await using server = await tlsInFrontOf(port, certificates);
  await using proxy = await connectProxy();
  const url = `https://localhost:${server.port}`;
  const proxied = { NODE_EXTRA_CA_CERTS: authority, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
  const through = await run(url, proxied);
  expect(through.code, through.stdout).toBe(0);
  expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT localhost:${server.port}`]));
  proxy.asked.length = 0;
  const past = await run(url, { ...proxied, NO_PROXY: 'localhost' });
  expect(past.code, past.stdout).toBe(0);
  expect(proxy.asked).toEqual([]);
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

test('a base URL with a path, an IPv6 address, connections that are closed after every answer', async () => {
  await using pathed = await stubBehind(() => ({}), '127.0.0.1', '/edge/v9');
  await using six = await stubBehind(() => ({}), '::1');
  await using closing = await stubBehind(() => ({ connection: 'close' }));
  const ended = await Promise.all([
    run(`http://127.0.0.1:${pathed.port}/edge/v9/`),
    run(`http://[::1]:${six.port}`),
    run(`http://127.0.0.1:${closing.port}`),
  ]);
  for (const { code, stdout } of ended) expect(code, stdout).toBe(0);
});

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

test('keep-alive connections that the server drops are no fault of it', async () => {
  await using server = await stubBehind(() => ({ 'keep-alive': 'timeout=0' }));
  expect((await run(`http://127.0.0.1:${server.port}`)).code).toBe(0);
});

test('a slow link is waited for', async () => {
  await using slow = await delayedInFrontOf(port, 150);
  const ended = await run(`http://127.0.0.1:${slow.port}`);
  expect(ended.code, ended.stdout).toBe(0);
});
