import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStub } from '../stub/index.ts';
import { JudgingProxy } from '../suites/recorded/proxy/proxy.ts';
import type { RunResult } from '../suites/result.ts';
import { startTck, tck } from '../suites/testing/tck.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-proxy-'));
});
afterAll(() => rm(folder, { recursive: true }));

const client = `
const { TCK_BASE_URL: base, KEY: key } = process.env;
for (const tool of ['schedule.read', 'credits.balance']) {
  const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
  const response = await fetch(base + '/api/v1/tools/' + tool, { method: 'POST', headers, body: '{}' });
  await response.text();
}
process.exit(Number(process.env.CODE ?? 0));
`;

const reportIn = async (out: string): Promise<RunResult> =>
  JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));

describe('tck proxy', () => {
  let program = '';
  beforeAll(async () => {
    program = join(folder, 'client.mjs');
    await writeFile(program, client);
  });

  test.each([
    [[], '0', 0],
    [[], '5', 5],
    [['days-empty'] as const, '0', 1],
  ])('in front of a server with the defects %j a command that ends with %s gives %i', async (defects, CODE, code) => {
    await using stub = createStub({ defects: [...defects] });
    const { baseUrl } = await stub.listen();
    const [out, har] = [await mkdtemp(join(folder, 'report-')), join(folder, 'passed.har')];
    const args = ['proxy', baseUrl, '--out', out, '--har', har, '--', process.execPath, program];
    const ended = await tck(args, { env: { KEY: stub.keys.sole, CODE } });
    expect(ended.code).toBe(code);
    expect(ended.stderr.includes('✗ schedule.days (request 1 through the proxy)')).toBe(defects.length > 0);
    const { requirements, summary, target } = await reportIn(out);
    expect([summary.requests, target.kind, target.baseUrl]).toEqual([2, 'proxy', baseUrl]);
    expect(requirements.filter(({ status }) => status === 'failed').map(({ id }) => id)).toEqual(
      defects.length > 0 ? ['schedule.days'] : [],
    );
    const recorded = await readFile(har, 'utf8');
    expect([JSON.parse(recorded).log.entries.length, recorded.includes(stub.keys.sole)]).toEqual([2, false]);
    const again = await tck(['audit', har, '--out', out]);
    expect(again.code).toBe(defects.length > 0 ? 1 : 0);
  });

  test('without a command it runs until SIGINT, and writes the report then', async () => {
    await using stub = createStub();
    const { baseUrl } = await stub.listen();
    const out = await mkdtemp(join(folder, 'report-'));
    const { child, ended, printed } = startTck(['proxy', baseUrl, '--port', '0', '--out', out]);
    const [address = ''] = /http:\S+/.exec(await printed('Ctrl-C')) ?? [];
    const headers = { authorization: `Bearer ${stub.keys.sole}` };
    const response = await fetch(`${address}/api/v1/tools/credits.balance`, { method: 'POST', headers });
    expect(await response.json()).toMatchObject({ ok: true });
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
    expect((await reportIn(out)).summary.requests).toBe(1);
  });

  test.each([
    [['https://a.example.test', '--host', '0.0.0.0'], /--host: other machines reach 0\.0\.0\.0; add --allow-remote/],
    [['http://a.example.test'], /url: expected https, because a key goes over plain http to this machine only/],
    [['https://u:p@a.example.test'], /url: expected an address without a user name/],
    [[], /url/],
  ])('%j is explained', async (args, message) => {
    const { code, stderr } = await tck(['proxy', ...args, '--out', join(folder, 'none')]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe('with --client', () => {
  const main = fileURLToPath(new URL('main.ts', import.meta.url));

  test.each([
    ['good', []],
    [
      'careless',
      ['client-confirmations.same-request', 'client-keys.only-in-authorization', 'client-requests.valid-arguments'],
    ],
  ])('the client that is %s breaks the rules %j', async (name, broken) => {
    const [out, config] = [await mkdtemp(join(folder, 'client-')), join(folder, `${name}.json`)];
    const client = fileURLToPath(new URL(`../stub/testing/clients/${name}.mjs`, import.meta.url));
    const proxied = `"${process.execPath}" "${main}" proxy "$TCK_BASE_URL" --client --assume complete,clock`;
    const line = `${proxied} --config "${config}" --out "${out}" -- "${process.execPath}" "${client}"`;
    await tck(['stub', '--control', '--write-config', config, '--', 'sh', '-c', line]);
    const { requirements } = await reportIn(out);
    const found = requirements.filter(({ status }) => status === 'failed').map(({ id }) => id);
    expect(found.sort()).toEqual(broken);
    const passed = requirements.filter(({ id, status }) => id.startsWith('client-') && status === 'passed');
    expect(passed.length).toBeGreaterThan(5);
  });
});

/** A proxy in front of a server of this process. */
async function through(
  serve: (request: IncomingMessage, response: ServerResponse) => void,
  work: (address: { host: string; port: number }, end: () => Promise<RunResult>) => Promise<void>,
): Promise<void> {
  const server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/edge`;
  const nothing = {
    only: undefined,
    skip: undefined,
    require: undefined,
    label: undefined,
    har: undefined,
    client: false,
  };
  const proxy = new JudgingProxy({ baseUrl, target: undefined, assumed: [], ...nothing, onFinding: () => {} });
  const url = new URL(await proxy.listen(0, '127.0.0.1'));
  let result: Promise<RunResult> | undefined;
  const end = () => (result ??= proxy.end(false));
  try {
    await work({ host: url.hostname, port: Number(url.port) }, end);
  } finally {
    await end();
    server.closeAllConnections();
    server.close();
  }
}

/** Everything that a connection receives for these bytes, until it is closed. */
async function raw({ host, port }: { host: string; port: number }, bytes: string): Promise<string> {
  const socket = connect(port, host);
  socket.write(bytes);
  return text(socket).catch(() => 'broken off');
}

describe('forwarding', () => {
  test('requests and responses pass as they are, with the order and the case of their headers', async () => {
    const seen: { headers?: string[]; url?: string | undefined; body?: string } = {};
    await through(
      async (request, response) => {
        Object.assign(seen, { headers: request.rawHeaders, url: request.url, body: await text(request) });
        response.sendDate = false;
        response.writeHead(207, 'Several Things', ['X-One', 'a', 'x-one', 'B', 'Content-Length', '3']);
        response.end('\u00e9!');
      },
      async (address) => {
        const answer = await raw(
          address,
          'PUT /some/where?a=%20b HTTP/1.1\r\nHost: proxy\r\nX-Two: 2\r\nx-two: 3\r\nContent-Length: 4\r\n' +
            'Connection: close\r\n\r\nbody',
        );
        expect(seen.url).toBe('/edge/some/where?a=%20b');
        expect(seen.body).toBe('body');
        expect(seen.headers?.slice(2, 8)).toEqual(['X-Two', '2', 'x-two', '3', 'Content-Length', '4']);
        expect(answer).toMatch(/^HTTP\/1\.1 207 Several Things\r\nX-One: a\r\nx-one: B\r\nContent-Length: 3\r\n/);
        expect(answer.endsWith('\r\n\r\n\u00e9!')).toBe(true);
      },
    );
  });

  test('a redirect is passed on, and a compressed body stays compressed and is judged', async () => {
    const body = gzipSync(JSON.stringify({ ok: true, balance: 'much' }));
    await through(
      (request, response) => {
        if (request.url?.endsWith('/old') === true) response.writeHead(307, { location: '/new' }).end();
        else
          response
            .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip', 'x-service-api': 'beta' })
            .end(body);
      },
      async ({ host, port }, end) => {
        const old = await fetch(`http://${host}:${port}/old`, { redirect: 'manual' });
        expect([old.status, old.headers.get('location')]).toEqual([307, '/new']);
        const headers = { authorization: 'Bearer a-key-of-some-length', 'content-type': 'application/json' };
        const sent = request({ host, port, path: '/api/v1/tools/credits.balance', method: 'POST', headers });
        sent.end('{}');
        const [answer]: IncomingMessage[] = await once(sent, 'response');
        const chunks = await answer?.toArray();
        expect(Buffer.concat(chunks ?? []).equals(body)).toBe(true);
        const { requirements } = await end();
        expect(requirements.find(({ id }) => id === 'credits.balance')?.status).toBe('failed');
      },
    );
  });

  test('a stream arrives piece by piece, and a big body whole', async () => {
    const big = Buffer.alloc(5 * 1024 * 1024, 'x');
    let release = () => {};
    await through(
      async (request, response) => {
        if (request.method === 'POST') {
          let bytes = 0;
          for await (const chunk of request) bytes += chunk.length;
          response.end(String(bytes));
          return;
        }
        response.write('first');
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        response.end('second');
      },
      async ({ host, port }) => {
        const answer = await fetch(`http://${host}:${port}/api/v1/tools/schedule.read`);
        const reader = answer.body?.getReader();
        expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first');
        release();
        expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('second');
        const posted = await fetch(`http://${host}:${port}/api/v1/tools/schedule.read`, { method: 'POST', body: big });
        expect(await posted.text()).toBe(String(big.length));
      },
    );
  });

  test('where the deployment breaks off, the connection does, and nothing is sent again', async () => {
    let requests = 0;
    await through(
      (_, response) => {
        requests += 1;
        if (requests === 1) response.destroy();
        else response.writeHead(200, { 'content-length': '100' }).write('a part', () => response.destroy());
      },
      async (address) => {
        const get = 'GET /x HTTP/1.1\r\nHost: proxy\r\n\r\n';
        expect(await raw(address, get)).toBe('');
        expect(await raw(address, get)).toMatch(/200 OK[\s\S]*a part$|broken off/);
        expect(requests).toBe(2);
      },
    );
  });
});
