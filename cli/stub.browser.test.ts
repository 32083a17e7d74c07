import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { type ServeOptions, serveStub } from './stub.ts';

interface Announced {
  readonly baseUrl: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly workspaces: readonly { readonly board: string }[];
  readonly ca?: string;
}

async function serving(options: ServeOptions, work: (announced: Announced) => Promise<void>): Promise<void> {
  const stopping = new AbortController();
  const printed = Promise.withResolvers<string>();
  const ended = serveStub({ port: 0, json: true, ...options }, { print: printed.resolve, stop: stopping.signal });
  try {
    await Promise.race([printed.promise, ended]);
    await work(JSON.parse(await printed.promise));
  } finally {
    stopping.abort();
    await ended;
  }
}

const trusting = new Agent({ connect: { rejectUnauthorized: false } });
const asks = { origin: 'http://page.test', 'access-control-request-method': 'POST' };

test('without --cors no page is let in, and a preflight is a request like others', async () => {
  await serving({}, async ({ baseUrl }) => {
    const { headers, statusCode } = await request(`${baseUrl}/api/v1/tools/credits.balance`, {
      method: 'OPTIONS',
      headers: asks,
    });
    expect(statusCode).toBeGreaterThanOrEqual(400);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });
});

test('--cors lets one origin in, and no page to the control plane', async () => {
  await serving({ cors: 'http://page.test', control: true }, async ({ baseUrl }) => {
    const wanted = { ...asks, 'access-control-request-headers': 'authorization,content-type' };
    const url = `${baseUrl}/api/v1/tools/credits.balance`;
    const preflight = await request(url, { method: 'OPTIONS', headers: wanted });
    expect(preflight.statusCode).toBe(200);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': 'http://page.test',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-allow-methods': 'POST',
      vary: 'origin',
    });
    const { headers } = await request(url, { method: 'POST', headers: asks });
    expect(headers['access-control-expose-headers']).toContain('retry-after');
    const control = await request(`${baseUrl}/__control/worlds`, { method: 'OPTIONS', headers: asks });
    expect(control.headers['access-control-allow-origin']).toBeUndefined();
  });
  const nowhere = { print: () => undefined, stop: new AbortController().signal };
  await expect(serveStub({ port: 0, cors: 'page.test' }, nowhere)).rejects.toThrow('--cors: expected an origin');
});

test('--openapi and --health answer beside the API, and only when asked for', async () => {
  await serving({}, async ({ baseUrl }) => {
    for (const path of ['/openapi.json', '/health']) expect((await request(baseUrl + path)).statusCode).toBe(404);
  });
  await serving({ openapi: true, health: true }, async ({ baseUrl }) => {
    expect((await request(`${baseUrl}/health`)).statusCode).toBe(200);
    const described = await (await request(`${baseUrl}/openapi.json`)).body.json();
    expect(described).toMatchObject({ openapi: expect.stringMatching(/^3\.1/), servers: [{ url: '/' }] });
  });
});

test('--tls speaks TLS with a certificate that is gone afterwards', async () => {
  let file = '';
  await serving({ tls: true }, async ({ baseUrl, ca = '' }) => {
    file = ca;
    expect(baseUrl).toMatch(/^https:/);
    expect(existsSync(ca)).toBe(true);
    const command = [
      process.execPath,
      '-e',
      `const end = (code) => () => { process.exitCode = code; };
      fetch('${baseUrl}/').then(({ status }) => end(status === 404 ? 0 : 1)(), end(2))`,
    ];
    const { runCommand } = await import('../stub/serve/command.ts');
    const stop = new AbortController().signal;
    expect(await runCommand({ command, env: { NODE_EXTRA_CA_CERTS: ca }, stop })).toBe(0);
    expect(await runCommand({ command, env: {}, stop })).toBe(2);
    const { statusCode } = await request(`${baseUrl}/`, { dispatcher: trusting });
    expect(statusCode).toBe(404);
  });
  expect(existsSync(file)).toBe(false);
});

test.each([{}, { tls: true }])('the first request that is printed works as it stands, with %j', async (how) => {
  const stopping = new AbortController();
  const printed = Promise.withResolvers<string>();
  const ended = serveStub({ port: 0, ...how }, { print: printed.resolve, stop: stopping.signal });
  const [, line = ''] = /First request:\n(.*)/.exec(await printed.promise) ?? [];
  const { stdout } = await promisify(execFile)('sh', ['-c', line]);
  expect(JSON.parse(stdout)).toMatchObject({ ok: true });
  stopping.abort();
  await ended;
});
