import { request } from 'undici';
import { describe, expect, vi } from 'vitest';
import { test } from './vitest.ts';

const path = '/api/v1/tools/';

describe.concurrent('twenty tests at once, each in a world of its own', () => {
  for (let index = 0; index < 20; index++) {
    test(`number ${index} moves its clock and exhausts its cap`, async ({ world }) => {
      const began = world.clock.now();
      const call = async (tool: string, args: object, role: 'primary' | 'throttled' = 'primary') => {
        const headers = { authorization: `Bearer ${world.keys[role]}`, 'content-type': 'application/json' };
        const answer = await world.fetch(world.baseUrl + path + tool, {
          method: 'POST',
          headers,
          body: JSON.stringify(args),
        });
        return { status: answer.status, body: await answer.json() };
      };
      const [north] = world.workspaces;
      const request = { board: north?.board, brief: 'a cup', count: 1, shape: '1:1' };
      const [early, late] = [await call('images.generate', request), await call('images.generate', request)];
      const calls = Array.from({ length: 31 + (index % 5) }, () => call('credits.balance', {}, 'throttled'));
      const limited = (await Promise.all(calls)).filter(({ status }) => status === 429);
      expect(limited).toHaveLength(1 + (index % 5));

      world.person.approve(early.body.confirmation_id);
      const run = await call('images.generate', { ...request, confirmation_id: early.body.confirmation_id });
      expect(run.body).toMatchObject({ ok: true, status: 'dispatched' });
      world.clock.advance(60 * (31 + index));
      const tooLate = await call('images.generate', { ...request, confirmation_id: late.body.confirmation_id });
      expect(tooLate.body).toMatchObject({ ok: false, code: 'confirmation_invalid' });
      expect((await call('credits.balance', {}, 'throttled')).status).toBe(200);

      const { charged, dispatched, proposals } = world.state();
      expect({ charged, runs: dispatched.length, waiting: proposals.length }).toEqual({
        charged: 4,
        runs: 1,
        waiting: 0,
      });
      expect(Math.round((world.clock.now() - began) / 60_000)).toBe(31 + index);
      expect(world.stats.requests()).toBe(calls.length + 5);
    });
  }
});

describe('options of a world', () => {
  test.override('worldOptions', { seed: 9, size: 2, rateCap: 5, dialects: ['few-keys'] });
  test('are those of the test', ({ world }) => {
    expect(world.seed).toBe(9);
    expect(world.roles).toHaveLength(3);
    expect(world.state().keys.find(({ role }) => role === 'primary')?.cap).toBe(5);
  });
});

test('a client that waits by timers that a test holds is answered, and judged by them', async ({ world }) => {
  vi.useFakeTimers();
  try {
    const url = `${world.baseUrl + path}schedule.read`;
    const headers = { authorization: `Bearer ${world.keys.primary}` };
    world.faults.add({ retryAfterSeconds: 30 });
    const limited = await world.fetch(url, { method: 'POST', headers });
    const again = new Promise((resolve) => setTimeout(resolve, Number(limited.headers.get('retry-after')) * 1000));
    await vi.advanceTimersByTimeAsync(30_000);
    await again;
    const { statusCode } = await request(url, { method: 'POST', headers, dispatcher: world.dispatcher });
    expect(statusCode).toBe(200);
    expect(world.judgement().rules).toContainEqual(
      expect.objectContaining({ id: 'client-limits.retry-after', status: 'passed' }),
    );
  } finally {
    vi.useRealTimers();
  }
});
