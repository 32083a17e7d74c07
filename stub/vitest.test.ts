import { request } from 'undici';
import { describe, expect, vi } from 'vitest';
import type { Role } from '../fixtures/roles.ts';
import type { OwnWorld } from './index.ts';
import { test } from './vitest.ts';

const path = '/api/v1/tools/';

/** Sends a request as a client of the sandbox. A text is sent as it is. */
function sendTo({ keys, fetch, baseUrl }: OwnWorld, tool: string, args: object | string = {}, role: Role = 'primary') {
  const headers = { authorization: `Bearer ${keys[role]}`, 'content-type': 'application/json' };
  const body = typeof args === 'string' ? args : JSON.stringify(args);
  return fetch(baseUrl + path + tool, { method: 'POST', headers, body });
}

describe.concurrent('tests at the same time have worlds of their own', () => {
  for (let index = 0; index < 20; index++) {
    test(`number ${index} moves its clock, exhausts its rate limit and meets its fault`, async ({ world }) => {
      const began = world.clock.now();
      const balances = Array.from({ length: 31 + index }, () => sendTo(world, 'credits.balance', {}, 'throttled'));
      expect((await Promise.all(balances)).filter(({ status }) => status === 429)).toHaveLength(1 + index);
      world.faults.add({ tool: 'schedule.read', status: 500 + index });
      expect((await sendTo(world, 'schedule.read')).status).toBe(500 + index);
      world.clock.advance(60 * (1 + index));
      expect((await sendTo(world, 'credits.balance', {}, 'throttled')).status).toBe(200);
      expect(Math.round((world.clock.now() - began) / 60_000)).toBe(1 + index);
      expect(world.stats.requests()).toBe(33 + index);
    });
  }
});

describe('options of a world', () => {
  test.override('worldOptions', { seed: 9, size: 2, rateLimit: 5, variants: ['few-keys'] });
  test('are those of the test', ({ world }) => {
    expect(world.seed).toBe(9);
    expect(world.roles).toHaveLength(3);
    expect(world.state().keys.find(({ role }) => role === 'primary')?.rateLimit).toBe(5);
  });
});

test('a client that waits by timers that a test holds is answered, and judged by them', async ({ world }) => {
  vi.useFakeTimers();
  try {
    const url = `${world.baseUrl + path}schedule.read`;
    const headers = { authorization: `Bearer ${world.keys.primary}` };
    world.faults.add({ retryAfterSeconds: 30 });
    const limited = await sendTo(world, 'schedule.read');
    const again = new Promise((resolve) => setTimeout(resolve, Number(limited.headers.get('retry-after')) * 1000));
    await vi.advanceTimersByTimeAsync(30_000);
    await again;
    const { statusCode } = await request(url, { method: 'POST', headers, dispatcher: world.dispatcher });
    expect(statusCode).toBe(200);
    expect(world.judgement().requirements).toContainEqual(
      expect.objectContaining({ id: 'client-limits.retry-after', status: 'passed' }),
    );
  } finally {
    vi.useRealTimers();
  }
});

test('what a sandbox has received is expected by tool, arguments, role, status and number', async ({ world }) => {
  const send = (tool: string, args: object) => sendTo(world, tool, args, 'sole');
  expect(world).not.toHaveReceived('library.search');
  await send('library.search', { query: 'fish', more: { of: [1, 2] } });
  await send('library.search', { query: 'shirt' });
  expect(world).toHaveReceived('library.search', { times: 2, role: 'sole' });
  expect(world).toHaveReceived('library.search', { args: { query: expect.stringMatching(/^sh/) }, times: 1 });
  expect(world).toHaveReceived('library.search', { args: { more: { of: [1, 2] } }, status: 200 });
  expect(world).not.toHaveReceived('library.search', { role: 'primary' });
  expect(world).not.toHaveReceived('library.search', { status: 500 });
  expect(() => expect(world).toHaveReceived('library.search', { args: { query: 'chips' } })).toThrow(
    'expected a request of library.search with {"args":{"query":"chips"}}; requests:\n' +
      '  library.search {"query":"fish","more":{"of":[1,2]}} by sole: 200',
  );
  expect(() => expect(world).toHaveReceived('library.search', { times: 3 })).toThrow('3 times, got 2');
  expect(() => expect({}).toHaveReceived('library.search')).toThrow('expected a sandbox');
});

describe('a fault that no request met', () => {
  test.fails('fails the test', ({ world }) => {
    world.faults.add({ tool: 'schedule.read', status: 503 });
  });

  test('does not where a request met it once, or may miss it', async ({ world }) => {
    world.faults.add({ tool: 'schedule.read', status: 503, times: 9 }, { status: 500, probability: 0.001 });
    expect(() => world.faults.verify()).toThrow('the fault 1 {"tool":"schedule.read","status":503,"times":9}');
    await sendTo(world, 'schedule.read');
    world.faults.verify();
  });

  describe('is let pass', () => {
    test.override('unmetFaults', 'pass');
    test('where that is asked for', ({ world }) => {
      world.faults.add({ status: 503 });
    });
  });
});

test('toBeConformant prints the broken rules, and toHaveReceived refuses unknown tools', async ({ world }) => {
  await sendTo(world, 'schedule.read');
  expect(world).toBeConformant();
  await sendTo(world, 'schedule.read', '[{}]');
  expect(() => expect(world).toBeConformant()).toThrow(/client-requests.json-object: A client MUST .*\n +got: /);
  const wanted = { args: { workspace: 'north' } };
  expect(() => expect(world).toHaveReceived('schedule.read', wanted)).toThrow('with {"args":{"workspace":"north"}}');
  // @ts-expect-error A caller without types can misspell the tool.
  expect(() => expect(world).not.toHaveReceived('schedule.reed')).toThrow("there is no tool 'schedule.reed'");
  // @ts-expect-error A caller without types can misspell a criterion.
  expect(() => expect(world).not.toHaveReceived('schedule.read', { rolle: 'sole' })).toThrow(
    'Unrecognized key: "rolle"',
  );
});
