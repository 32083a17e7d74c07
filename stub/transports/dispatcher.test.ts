import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Dispatcher, errors, FormData, request } from 'undici';
import { expect, test } from 'vitest';
import type { Reply } from '../../test/stub/client.ts';
import { createStub } from '../index.ts';

type Options = Parameters<Dispatcher['dispatch']>[0];

function inProcess() {
  const stub = createStub();
  const url = (tool: string) => `http://stub.invalid/api/v1/tools/${tool}`;
  const headers = { Authorization: `Bearer ${stub.keys.primary}` };
  const { dispatcher } = stub;
  const post = async (tool: string, options: Partial<Options> = {}) => {
    const sent = { method: 'POST', headers, dispatcher, ...(options as object) } as const;
    const { statusCode, body } = await request(url(tool), sent);
    return { status: statusCode, body: (await body.json()) as Reply['body'] };
  };
  return { stub, url, headers, post };
}

const balance = { method: 'POST', path: '/api/v1/tools/credits.balance' } as const;

const text = '{"query":"größer"}';
const bodies: Record<string, () => unknown> = {
  text: () => text,
  'a buffer': () => Buffer.from(text),
  'an array of bytes': () => new Uint8Array(Buffer.from(text)),
  'a stream': () => Readable.from([Buffer.from(text.slice(0, 4)), Buffer.from(text.slice(4))]),
  'an iterable': () => [Buffer.from(text)].values(),
  'an asynchronous iterable': async function* () {
    for (const byte of Buffer.from(text)) yield Buffer.of(byte);
  },
};

test.each(Object.entries(bodies))('the body may be %s', async (_name, make) => {
  const { post } = inProcess();
  expect((await post('knowledge.search', { body: make() as string })).body.query).toBe('größer');
});

test('what is no body, and a stream that breaks, are errors', async () => {
  const { post } = inProcess();
  const form = new FormData();
  form.set('name', 'value');
  await expect(post('credits.balance', { body: form })).rejects.toThrow(TypeError);
  await expect(post('credits.balance', { body: 7 as unknown as string })).rejects.toThrow(TypeError);
  const broken = new Readable({
    read() {
      this.destroy(new Error('broken'));
    },
  });
  await expect(post('credits.balance', { body: broken })).rejects.toThrow('broken');
});

test('headers may be an object, a flat list or pairs, and query parameters are added to the path', async () => {
  const { stub, post } = inProcess();
  const value = `Bearer ${stub.keys.primary}`;
  for (const headers of [{ authorization: value }, ['Authorization', value], new Map([['AUTHORIZATION', value]])]) {
    expect((await post('credits.balance', { headers: headers as Record<string, string> })).status).toBe(200);
  }
  expect((await post('credits.balance', { headers: null })).status).toBe(401);
  expect((await post('credits.balance', { query: { a: 1 } })).status).toBe(200);
});

test('the global fetch works with it, and an aborted call rejects with its reason', async () => {
  const { stub, url, headers } = inProcess();
  const response = await stub.fetch(url('knowledge.search'), { method: 'POST', headers, body: text });
  expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(await response.clone().text())));
  expect(await response.json()).toMatchObject({ ok: true, query: 'größer' });
  stub.faults.add({ latencyMs: 60_000 });
  const signal = AbortSignal.timeout(20);
  await expect(stub.fetch(url('credits.balance'), { method: 'POST', headers, signal })).rejects.toThrow('timeout');
});

test('calls one after the other come on one connection, and calls together on several', async () => {
  const { stub, post } = inProcess();
  await post('credits.balance');
  await post('credits.balance');
  await Promise.all([post('credits.balance'), post('credits.balance')]);
  const numbers = stub.journal().events.map((event) => (event.kind === 'exchange' ? event.connection : null));
  expect(numbers).toEqual([1, 1, 1, 2]);
});

test('a call that is aborted before its turn never reaches the stub', async () => {
  const { stub, post } = inProcess();
  const abort = new AbortController();
  const call = post('credits.balance', { signal: abort.signal } as Partial<Options>);
  abort.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  await nextTurn();
  expect(stub.stats.requests()).toBe(0);
});

test('what a handler throws comes back to it as an error, once', async () => {
  const { stub } = inProcess();
  const entries: string[] = [];
  stub.dispatcher.dispatch(balance, {
    onRequestStart: () => void entries.push('start'),
    onResponseStart: () => {
      throw new Error('cannot');
    },
    onResponseEnd: () => void entries.push('end'),
    onResponseError: (_controller, error) => void entries.push(error.message),
  });
  await nextTurn();
  await nextTurn();
  expect(entries).toEqual(['start', 'cannot']);
});

test('a closed dispatcher refuses requests', async () => {
  const { stub, post } = inProcess();
  await stub.dispatcher.close();
  await expect(post('credits.balance')).rejects.toThrow(errors.ClientClosedError);
  expect(stub.stats.requests()).toBe(0);
});

test('a handler of an older undici is answered too', async () => {
  const { stub, headers } = inProcess();
  const entries: unknown[] = [];
  const done = Promise.withResolvers<void>();
  const older: object = {
    onConnect: () => entries.push('connect'),
    onHeaders: (status: number) => entries.push(status),
    onData: (bytes: Uint8Array) => entries.push(JSON.parse(Buffer.from(bytes).toString()).ok),
    onComplete: () => done.resolve(),
    onError: done.reject,
  };
  stub.dispatcher.dispatch({ ...balance, origin: 'http://stub.invalid', headers }, older);
  await done.promise;
  expect(entries).toEqual(['connect', 200, true]);
});
