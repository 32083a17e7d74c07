import { expect, test } from 'vitest';
import { clientOf } from '../test/stub/client.ts';
import { createStub } from './index.ts';

test('the same seed gives the same keys and the same answers, ids included', () => {
  const clock = { now: () => 1_700_000_000_000 };
  const [one, two] = [createStub({ seed: 5, clock }), createStub({ seed: 5, clock })];
  expect(two.keys).toEqual(one.keys);
  expect(two.workspaces).toEqual(one.workspaces);
  const replies = [one, two].map((stub) => {
    const call = clientOf(stub);
    const images = { board: stub.workspaces[0]?.board, brief: 'a cup', count: 1, shape: '1:1' };
    return [call('images.generate', images), call('schedule.read'), call('library.search')].map(({ text }) => text);
  });
  expect(replies[1]).toEqual(replies[0]);
  expect(createStub({ seed: 6 }).keys.primary).not.toBe(one.keys.primary);
});

test('calls are counted by who made them and what they called', () => {
  const stub = createStub();
  const call = clientOf(stub);
  call('credits.balance');
  call('credits.balance', {}, { role: 'sole' });
  call('credits.balance', {}, { role: 'revoked' });
  call('credits.balance', {}, { authorization: null });
  call('constructor');
  const { requests, responses } = stub.stats;
  expect(requests()).toBe(5);
  expect(requests({ role: 'primary' })).toBe(2);
  expect(requests({ tool: 'credits.balance' })).toBe(4);
  expect(requests({ role: 'revoked', tool: 'credits.balance' })).toBe(1);
  expect(requests({ role: 'nobody' })).toBe(1);
  expect(requests({ tool: 'none' })).toBe(1);
  expect([responses(200), responses(401), responses(404)]).toEqual([2, 2, 1]);
});

test('other paths are refused in JSON', () => {
  const stub = createStub();
  const elsewhere = stub.handle({ method: 'POST', path: '/api/v2/tools/credits.balance', headers: {}, body: null });
  expect(elsewhere.status).toBe(404);
  expect(JSON.parse(elsewhere.body)).toEqual({ error: { code: expect.any(String), message: expect.any(String) } });
});

test('a stub and its worlds end when they go out of scope', async () => {
  const stub = createStub();
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

test('its fetch can replace the global one, and returns responses of the global class', async ({ onTestFinished }) => {
  const stub = createStub();
  const original = globalThis.fetch;
  globalThis.fetch = stub.fetch;
  onTestFinished(() => {
    globalThis.fetch = original;
  });
  const headers = { authorization: `Bearer ${stub.keys.primary}` };
  const url = 'http://stub.invalid/api/v1/tools/credits.balance';
  const asked = new Request(url, { method: 'POST', headers, body: '{}' });
  const response = await fetch(asked);
  expect(response).toBeInstanceOf(Response);
  expect(await response.json()).toMatchObject({ ok: true });
});
