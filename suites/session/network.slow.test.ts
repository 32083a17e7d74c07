import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStub, type Stub } from '../../stub/index.ts';
import {
  connectProxy,
  delayedInFrontOf,
  httpServer,
  type Listener,
  type Passed,
  passedTo,
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

test('extra headers of the configuration are sent, and their values are told nowhere', async () => {
  const isOpen = (passed: Passed) => passed.headers['x-gateway'] === 'gateway-token';
  await using gateway = await httpServer(passedTo(stub, (passed) => (isOpen(passed) ? passed : null)));
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

const below = (prefix: string) => (passed: Passed) =>
  passed.path.startsWith(prefix) ? { ...passed, path: passed.path.slice(prefix.length) } : null;
const adding = (added: Record<string, string>) => (passed: Passed) => ({ ...passed, added });

test.each<[string, () => Promise<Listener>, host?: string, path?: string]>([
  ['a base URL with a path', () => httpServer(passedTo(stub, below('/edge/v9'))), '127.0.0.1', '/edge/v9/'],
  ['an IPv6 address', () => httpServer(passedTo(stub), '::1'), '[::1]'],
  ['connections that are closed at once', () => httpServer(passedTo(stub, adding({ connection: 'close' })))],
  ['connections that are soon dropped', () => httpServer(passedTo(stub, adding({ 'keep-alive': 'timeout=0' })))],
  ['a slow link', () => delayedInFrontOf(port, 150)],
])('%s', async (_, serve, host = '127.0.0.1', path = '') => {
  await using server = await serve();
  const ended = await run(`http://${host}:${server.port}${path}`);
  expect(ended.code, ended.stdout).toBe(0);
});
