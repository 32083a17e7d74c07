import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { primaryKey, sessionAt } from '../../test/handled-target.ts';
import { httpServer } from '../../test/network.ts';
import { defaultPace } from '../target/target.ts';
import type { Call } from './call.ts';

interface Met {
  /** Number of the connection, from 1. */
  connection: number;
  /** Number of the request on its connection, from 1. */
  nth: number;
  request: IncomingMessage;
  response: ServerResponse;
}

/** HTTP server that counts connections, with a session that sends requests to it. */
async function serving(meet: (met: Met) => void) {
  const connections = new Map<Socket, { connection: number; requests: number }>();
  const met: string[] = [];
  const server = await httpServer((request, response) => {
    const { socket } = request;
    const known = connections.get(socket) ?? { connection: connections.size + 1, requests: 0 };
    known.requests += 1;
    connections.set(socket, known);
    met.push(`${known.connection}.${known.requests}`);
    request.resume().on('end', () => meet({ connection: known.connection, nth: known.requests, request, response }));
  });
  const pace = { ...defaultPace, concurrency: 1, timeoutSeconds: 5 };
  const session = sessionAt({ baseUrl: `http://127.0.0.1:${server.port}`, kind: 'url', pace });
  return {
    session,
    /** Requests as `<connection>.<request on the connection>`. */
    met,
    async [Symbol.asyncDispose]() {
      await session.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const reading = { tool: 'schedule.read', credential: primaryKey, args: {} };
const changing = { tool: 'content.create_request', credential: primaryKey, args: {} };
const response = ({ response }: Met) => response.end('{"ok":true}');
const close = ({ request }: Met) => request.socket.destroy();
const breakOff = ({ response }: Met) =>
  response.writeHead(200, { 'content-length': 100 }).write('{"ok"', () => response.destroy());
const reset = ({ request }: Met) => request.socket.resetAndDestroy();

test('reading calls share a connection, calls that change something have one of their own', async () => {
  await using server = await serving(response);
  for (const call of [reading, reading, changing, reading, changing]) await server.session.send(call);
  expect(server.met).toEqual(['1.1', '1.2', '2.1', '1.3', '3.1']);
});

test('a reading call whose kept connection is reset is sent again, on another one', async () => {
  await using server = await serving((met) => (met.nth === 2 ? reset(met) : response(met)));
  for (let times = 0; times < 3; times += 1) {
    expect((await server.session.send(reading)).response.status).toBe(200);
  }
  expect(server.met).toEqual(['1.1', '1.2', '2.1', '3.1']);
  const lost = server.session.exchanges.filter(({ response: got }) => got === null);
  expect(lost.map(({ problem }) => problem)).toEqual([expect.any(String)]);
});

test.each<[string, (met: Met) => void, Call, error: string | RegExp, times: number]>([
  ['closes the connection of a reading call', close, reading, 'the server closed the connection (UND_ERR_SOCKET)', 4],
  ['resets the connection of a request with a side effect', reset, changing, '', 1],
  ['resets the connection of a proposal', reset, { ...changing, tool: 'images.generate' }, '', 1],
  ['breaks off', breakOff, reading, /^the response, HTTP 200, ended early: /, 1],
  [
    'cannot be decompressed',
    ({ response }) => response.setHeader('content-encoding', 'gzip').end('{"ok":true}'),
    reading,
    'the response, HTTP 200, cannot be read: the body is no valid gzip: incorrect header check',
    1,
  ],
  [
    'does not end',
    ({ response }) => response.writeHead(200).write('{'),
    reading,
    'the response, HTTP 200, did not end within timeoutSeconds, which is 5',
    1,
  ],
])('a server that %s', async (_, meet, call, error, times) => {
  await using server = await serving(meet);
  await expect(server.session.send(call)).rejects.toThrow(error);
  expect(server.met).toEqual(Array.from({ length: times }, (_, index) => `${index + 1}.1`));
});

test('the same call with a key that is not good changes nothing, and is sent again', async () => {
  await using server = await serving((met) => (met.connection === 1 ? close(met) : response(met)));
  const credential = { label: 'no credential', good: false };
  const { response: got } = await server.session.send({ ...changing, credential });
  expect([got.status, server.met.length]).toEqual([200, 2]);
});

test('a redirect is a response, and is not followed', async () => {
  await using server = await serving(({ response }) => response.writeHead(307, { location: '/elsewhere' }).end());
  expect((await server.session.send(reading)).response.status).toBe(307);
  expect(server.met).toHaveLength(1);
});

test('headers come as they were sent: lower-case names, repeated ones each', async () => {
  await using server = await serving(({ response }) => {
    response.writeHead(200, ['X-Service-API', 'beta', 'X-Twice', 'a', 'X-Twice', 'b']);
    response.end('{}');
  });
  const { headers } = (await server.session.send(reading)).response;
  const own = headers.filter(([name]) => name.startsWith('x-'));
  expect(own.map((header) => header.join(': '))).toEqual(['x-service-api: beta', 'x-twice: a', 'x-twice: b']);
});

test('calls that are made at one moment arrive together, each on a connection of its own', async () => {
  const waiting: Met[] = [];
  await using server = await serving((met) => {
    waiting.push(met);
    if (waiting.length === 4) for (const respond of waiting) response(respond);
  });
  const answers = await server.session.sendAtOnce({ ...changing, tool: 'images.generate' }, 4);
  expect(answers.map(({ response: { status } }) => status)).toEqual([200, 200, 200, 200]);
  expect(server.met.toSorted()).toEqual(['1.1', '2.1', '3.1', '4.1']);
});

test.for([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
  ['gzip, br', (text: string) => brotliCompressSync(gzipSync(text))],
] as const)('a body that is compressed with %s is read', async ([coding, compress]) => {
  await using server = await serving(({ response }) => {
    response.setHeader('content-encoding', coding).end(compress('{"ok":true}'));
  });
  const { response } = await server.session.send(reading);
  expect(response?.json).toEqual({ ok: true });
});

test('of 2,300 headers, those that the kit reads and 64 others are kept', async () => {
  await using server = await serving(({ response }) => {
    const many = Array.from({ length: 2200 }, (_, index): [string, string] => [`a${index % 10}`, 'b']);
    response.writeHead(200, [...many, ['X-Service-API', 'beta']]).end('{}');
  });
  const { headers } = (await server.session.send(reading)).response;
  expect(headers.filter(([name]) => /^a\d$/.test(name))).toHaveLength(64);
  expect(headers).toContainEqual(['x-service-api', 'beta']);
});
