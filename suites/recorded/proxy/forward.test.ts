import { once } from 'node:events';
import { type IncomingMessage, type RequestListener, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { judgingProxy } from '../../../test/attacks/proxied.ts';
import { httpServer } from '../../../test/network.ts';

/** Starts a proxy in front of a server in this process. */
async function proxyOf(serve: RequestListener) {
  const server = await httpServer(serve);
  const proxy = await judgingProxy(`http://127.0.0.1:${server.port}/edge`, { allowHosts: ['proxy'] });
  const dispose = async () => {
    await proxy[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  };
  return { ...proxy, [Symbol.asyncDispose]: dispose };
}

/** Sends bytes and returns everything that the connection receives until it is closed. */
async function raw({ host, port }: { host: string; port: number }, bytes: string): Promise<string> {
  const socket = connect(port, host);
  socket.write(bytes);
  return text(socket).catch(() => 'broken off');
}

test('requests and responses pass as they are, with the order and the case of their headers', async () => {
  const seen: { headers?: string[]; url?: string | undefined; body?: string } = {};
  await using proxy = await proxyOf(async (request, response) => {
    Object.assign(seen, { headers: request.rawHeaders, url: request.url, body: await text(request) });
    response.sendDate = false;
    response.writeHead(207, 'Several Things', ['X-One', 'a', 'x-one', 'B', 'Content-Length', '3']);
    response.end('\u00e9!');
  });
  const answer = await raw(
    proxy,
    'PUT /some/where?a=%20b HTTP/1.1\r\nHost: proxy\r\nX-Two: 2\r\nx-two: 3\r\nContent-Length: 4\r\n' +
      'Connection: close\r\n\r\nbody',
  );
  expect(seen).toMatchObject({ url: '/edge/some/where?a=%20b', body: 'body' });
  expect(seen.headers?.slice(2, 8)).toEqual(['X-Two', '2', 'x-two', '3', 'Content-Length', '4']);
  expect(answer).toMatch(/^HTTP\/1\.1 207 Several Things\r\nX-One: a\r\nx-one: B\r\nContent-Length: 3\r\n/);
  expect(answer.endsWith('\r\n\r\n\u00e9!')).toBe(true);
});

test('headers that `Connection` lists are not passed on, in either direction', async () => {
  const seen: string[] = [];
  await using proxy = await proxyOf((request, response) => {
    seen.push(...request.rawHeaders.map((text) => text.toLowerCase()));
    response.writeHead(200, { connection: 'x-hop, content-length', 'x-hop': '1', 'x-end': '2', 'content-length': 2 });
    response.end('{}');
  });
  const answer = await raw(
    proxy,
    'POST /x HTTP/1.1\r\nHost: proxy\r\nX-Hop: 1\r\nX-End: 2\r\nConnection: close, X-Hop\r\n' +
      'Content-Length: 2\r\n\r\n{}',
  );
  const hops = ['x-hop', 'x-end', 'content-length'];
  expect(hops.filter((name) => seen.includes(name))).toEqual(['x-end', 'content-length']);
  expect(answer).toMatch(/x-end: 2\r\ncontent-length: 2/);
  expect(answer).not.toContain('x-hop');
});

test('a client of HTTP/1.0 gets a body without chunks', async () => {
  await using proxy = await proxyOf((_, response) => {
    response.writeHead(200, { trailer: 'x-sum' }).write('one');
    response.addTrailers({ 'x-sum': '2' });
    response.end('two');
  });
  const answer = await raw(proxy, 'POST /x HTTP/1.0\r\nHost: proxy\r\nContent-Length: 2\r\n\r\n{}');
  expect(answer).toMatch(/\r\n\r\nonetwo$/);
  expect(answer).not.toMatch(/transfer-encoding|trailer/i);
});

test('a redirect is passed on, and a compressed body stays compressed and is judged', async () => {
  const body = gzipSync(gzipSync(JSON.stringify({ ok: true, balance: 'much' })));
  await using proxy = await proxyOf((request, response) => {
    if (request.url?.endsWith('/old') === true) response.writeHead(307, { location: '/new' }).end();
    else
      response
        .setHeader('content-encoding', ['gzip', 'gzip'])
        .writeHead(200, { 'content-type': 'application/json', 'x-service-api': 'beta' })
        .end(body);
  });
  const { host, port } = proxy;
  const old = await fetch(`http://${host}:${port}/old`, { redirect: 'manual' });
  expect([old.status, old.headers.get('location')]).toEqual([307, '/new']);
  const headers = { authorization: 'Bearer a-key-of-some-length', 'content-type': 'application/json' };
  const sent = request({ host, port, path: '/api/v1/tools/credits.balance', method: 'POST', headers });
  sent.end('{}');
  const [answer]: IncomingMessage[] = await once(sent, 'response');
  const chunks = await answer?.toArray();
  expect(Buffer.concat(chunks ?? []).equals(body)).toBe(true);
  const { requirements } = await proxy.end();
  expect(requirements.find(({ id }) => id === 'credits.balance')?.status).toBe('failed');
});

test('a stream arrives piece by piece, and a big body whole', async () => {
  const big = Buffer.alloc(5 * 1024 * 1024, 'x');
  const released = Promise.withResolvers<void>();
  await using proxy = await proxyOf(async (request, response) => {
    if (request.method === 'POST') {
      let bytes = 0;
      for await (const chunk of request) bytes += chunk.length;
      response.end(String(bytes));
      return;
    }
    response.write('first');
    await released.promise;
    response.end('second');
  });
  const url = `http://${proxy.host}:${proxy.port}/api/v1/tools/schedule.read`;
  const reader = (await fetch(url)).body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first');
  released.resolve();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('second');
  const posted = await fetch(url, { method: 'POST', body: big });
  expect(await posted.text()).toBe(String(big.length));
});

const get = 'GET /x HTTP/1.1\r\nHost: proxy\r\n\r\n';

test('one connection serves many requests, and so does the one behind it', async () => {
  const connections = new Set<unknown>();
  await using proxy = await proxyOf((request, response) => {
    connections.add(request.socket);
    response.end('ok');
  });
  const answer = await raw(proxy, get + get + get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  expect([answer.match(/200 OK/g)?.length, connections.size]).toEqual([3, 1]);
});

test('where the deployment breaks off, nothing is sent again, and the client gets 502 or breaks off too', async () => {
  let requests = 0;
  await using proxy = await proxyOf((_, response) => {
    requests += 1;
    if (requests === 1) response.destroy();
    else response.writeHead(200, { 'content-length': '100' }).write('a part', () => response.destroy());
  });
  expect(await raw(proxy, get)).toMatch(/^HTTP\/1.1 502[\s\S]*the deployment closed the connection/);
  expect(await raw(proxy, get)).toMatch(/200 OK[\s\S]*a part$|broken off/);
  expect(requests).toBe(2);
});
