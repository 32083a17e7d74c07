import { expect, test } from 'vitest';
import { createStub } from '../index.ts';

function client() {
  const stub = createStub();
  const url = (tool: string) => `${stub.baseUrl}/api/v1/tools/${tool}`;
  const headers = { authorization: `Bearer ${stub.keys.primary}`, 'Content-Type': 'application/json' };
  return { stub, url, headers, fetch: stub.fetch };
}

test('it is called as the global one is: with an address and an init, or with a request', async () => {
  const { url, headers, fetch } = client();
  const body = JSON.stringify({ query: 'é' });
  const init = { method: 'POST', headers, body };
  const answers = await Promise.all([
    fetch(url('knowledge.search'), init),
    fetch(new URL(url('knowledge.search')), { ...init, headers: new Headers(headers) }),
    fetch(url('knowledge.search'), { ...init, headers: Object.entries(headers), body: new TextEncoder().encode(body) }),
    fetch(new Request(url('knowledge.search'), init)),
    fetch(url('knowledge.search'), { ...init, body: new Blob([body]) }),
    fetch('https://api.example.test:8443/api/v1/tools/knowledge.search', { ...init, method: 'post' }),
  ]);
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  expect(new Set(texts).size).toBe(1);
  expect(JSON.parse(texts[0] ?? '')).toMatchObject({ ok: true, query: 'é' });
  for (const { headers: given } of answers) {
    expect(given.get('x-service-api')).toBe('beta');
    expect(given.get('content-length')).toBe(String(Buffer.byteLength(texts[0] ?? '')));
  }
});

test('what a client leaves out is what the real one would send', async () => {
  const { stub, url, headers, fetch } = client();
  await fetch(url('credits.balance'), { headers });
  const { authorization } = headers;
  await fetch(url('credits.balance'), { method: 'POST', headers: { authorization }, body: '{}' });
  const type = ['content-type', 'text/plain;charset=UTF-8'];
  expect(stub.journal().events).toMatchObject([
    { request: { method: 'GET', body: null } },
    { request: { headers: expect.arrayContaining([type]) } },
  ]);
});

test('an address that is none is a TypeError, and an aborted call rejects with its reason', async () => {
  const { stub, url, fetch } = client();
  await expect(fetch('/api/v1/tools/x')).rejects.toThrow(TypeError);
  await expect(fetch(url('x'), { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  const controller = new AbortController();
  const call = fetch(url('x'), { signal: controller.signal });
  controller.abort(new Error('changed my mind'));
  await expect(call).rejects.toThrow('changed my mind');
  expect(stub.stats.requests()).toBe(0);
});

test('a lost connection looks as it does over a wire', async () => {
  const { stub, url, headers, fetch } = client();
  const init = { method: 'POST', headers };
  stub.faults.add({ drop: 'after' }, { cutAtBytes: 5 }, { latencyMs: 30 }, { latencyMs: 60_000 });
  await expect(fetch(url('credits.balance'), init)).rejects.toThrow(
    expect.objectContaining({ name: 'TypeError', message: 'fetch failed' }),
  );
  const cut = await fetch(url('credits.balance'), init);
  expect(cut.status).toBe(200);
  await expect(cut.text()).rejects.toThrow('terminated');
  const began = performance.now();
  expect((await fetch(url('credits.balance'), init)).status).toBe(200);
  expect(performance.now() - began).toBeGreaterThan(25);
  await expect(fetch(url('credits.balance'), { ...init, signal: AbortSignal.timeout(20) })).rejects.toThrow('timeout');
});

test('calls one after the other come on one connection, and calls together on several', async () => {
  const { stub, url, headers, fetch } = client();
  const call = async () => (await fetch(url('credits.balance'), { method: 'POST', headers })).text();
  await call();
  await call();
  await Promise.all([call(), call()]);
  const numbers = stub.journal().events.map((event) => (event.kind === 'exchange' ? event.connection : null));
  expect(numbers).toEqual([1, 1, 1, 2]);
});

test('a stub and its worlds end when they go out of scope', async () => {
  const { stub } = client();
  const url = await (async () => {
    await using world = stub.mint({ variants: ['path-prefix'] });
    await using listening = createStub({ seed: 3 });
    const { baseUrl } = await listening.listen({ port: 0 });
    expect(world.baseUrl).toBe('http://stub.invalid/edge/v9');
    expect((await world.fetch(`${world.baseUrl}/api/v1/tools/x`, { method: 'POST' })).status).toBe(401);
    expect((await fetch(baseUrl, { method: 'POST' })).status).toBe(404);
    return baseUrl;
  })();
  await expect(fetch(url)).rejects.toThrow();
});
