import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createStub } from '../index.ts';
import { bodyLimitBytes, type Handle } from '../server/handle.ts';
import { listen } from './http.ts';

const stub = createStub();
const agent = new Agent();
let [origin, ownPort] = ['', 0];

beforeAll(async () => {
  ({ origin, port: ownPort } = await stub.listen());
});

afterAll(async () => {
  await agent.close();
  await stub.close();
});

const bearer = () => ({ authorization: `Bearer ${stub.keys.primary}` });

async function post(tool: string, body: string | Buffer | AsyncIterable<Buffer> | null, base = origin) {
  const options = { method: 'POST', headers: bearer(), body: body as string | null, dispatcher: agent } as const;
  const { statusCode, headers, body: answer } = await request(`${base}/api/v1/tools/${tool}`, options);
  const text = await answer.text();
  return { status: statusCode, headers, text, body: JSON.parse(text) };
}

/** The beginning of a request whose body lacks a byte. */
const begun = 'POST /api/v1/tools/credits.balance HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{';

/** Opens a connection and sends bytes, which arrive before this function returns. */
async function opened(port: number, bytes = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  await wait(20);
  return socket;
}

test('an answer has its headers and its length', async () => {
  const { status, headers, text } = await post('schedule.read', '{"workspace":"nowhere"}');
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'x-service-api': 'beta',
    'x-service-tool-error': 'true',
    'content-length': String(Buffer.byteLength(text)),
  });
});

test('a body may come in pieces, split anywhere', async () => {
  const bytes = Buffer.from(JSON.stringify({ query: 'größer 🙂' }));
  async function* pieces() {
    for (const byte of bytes) yield Buffer.of(byte);
  }
  expect((await post('knowledge.search', pieces())).body.query).toBe('größer 🙂');
});

test('a body beyond the limit is read to its end, refused, and the connection lives on', async () => {
  expect((await post('credits.balance', Buffer.alloc(3 * bodyLimitBytes, 'x'))).status).toBe(413);
  expect((await post('credits.balance', null)).status).toBe(200);
});

test('a client that goes away in the middle of its body harms nobody', async () => {
  (await opened(ownPort, begun)).destroy();
  expect((await post('credits.balance', null)).status).toBe(200);
});

test('a target in absolute form reaches the same tool, and its host replaces the header', async () => {
  const socket = await opened(ownPort);
  const line = 'POST http://api.example.test/api/v1/tools/credits.balance HTTP/1.1\r\nhost: other\r\ncontent-length: 0';
  socket.end(`${line}\r\nauthorization: ${bearer().authorization}\r\n\r\n`);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
  expect(stub.journal().events.at(-1)).toMatchObject({
    tool: 'credits.balance',
    request: { path: '/api/v1/tools/credits.balance', headers: expect.arrayContaining([['host', 'api.example.test']]) },
  });
});

test('GET and HEAD get 405', async () => {
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await fetch(`${origin}/api/v1/tools/credits.balance`, { method, headers: bearer() });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  }
});

test('an address that is taken rejects', async () => {
  const listening = createStub().listen({ port: ownPort });
  await expect(listening).rejects.toMatchObject({ code: 'EADDRINUSE' });
  // The origin is one that a client on this machine can use.
  await using open = createStub();
  const { origin: wide } = await open.listen({ host: '0.0.0.0' });
  expect(wide).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('closing lets a call under way finish, drops idle connections, and may be done twice', async () => {
  await using closing = createStub();
  const { port } = await closing.listen();
  const [idle, busy] = [await opened(port), await opened(port, begun)];
  // The time after which the stub closes all connections does not pass.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const closed = Promise.all([closing.close(), closing.close()]);
  busy.write('}');
  const [answer] = await once(busy, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /);
  await closed;
  for (const socket of [idle, busy]) socket.destroy();
});

test('closing does not wait for a call that never ends', async () => {
  const { port, close } = await listen(stub.handle, {}, () => undefined);
  const stuck = await opened(port, begun);
  stuck.on('error', () => undefined);
  await close();
  stuck.destroy();
});

test('a fault of the stub itself is told, and answered with 500', async () => {
  const faults: unknown[] = [];
  const broken: Handle = () => {
    throw new Error('broken');
  };
  const { origin: base, close } = await listen(broken, {}, (error) => faults.push(error));
  expect((await post('credits.balance', null, base)).status).toBe(500);
  expect(faults).toEqual([new Error('broken')]);
  await close();
});
