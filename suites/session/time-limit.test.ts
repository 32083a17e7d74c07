import { expect, test } from 'vitest';
import type { StubResponse } from '../../stub/server/handle.ts';
import { handledTarget, json, overLimit, primaryKey, sessionAt } from '../../test/handled-target.ts';
import { skippingTimer } from '../../test/skipping-timer.ts';
import { defaultPace, type Target } from '../target/target.ts';
import type { Call } from './call.ts';
import { defaultLimit } from './run-time.ts';

const read: Call = { tool: 'schedule.read', credential: primaryKey, args: {} };

const slowly = (name: string) => ({ calls: name === 'pinned' ? 1 : 30, windowMs: 60_000 });

test.each<[string, (key: string) => { calls: number; windowMs: number } | undefined, number]>([
  ['20 minutes if no key is limited', () => undefined, 1200],
  ['20 minutes if no key needs longer', () => ({ calls: 100, windowMs: 60_000 }), 1200],
  ['twice the time that the slowest key needs', slowly, 90 * 60 * (2 / 1.5)],
])('a run may take %s', (_, rateOf, seconds) => {
  const most = new Map([
    ['primary', 600],
    ['pinned', 90],
  ] as const);
  expect(defaultLimit(most, rateOf)).toBe(seconds);
});

test('the time that a slow key has added stays when the key gets faster', async () => {
  let laterMs = 0;
  const { now, after } = skippingTimer(() => undefined);
  const target = handledTarget((_, nth) => (nth === 40 ? overLimit('60') : json({ ok: true })));
  const session = sessionAt(target, { timer: { now: () => now() + laterMs, after } });
  session.limitTime(new Map([['primary', 10_000]]), undefined, () => undefined);
  const send = (times: number) => Promise.all(Array.from({ length: times }, () => session.send(read)));
  for (const times of [50, 500]) {
    await send(times);
    session.time.check();
  }
  laterMs = 2_000_000;
  session.time.check();
  expect(session.budget.stops).toEqual([]);
  await session.close();
});

/** Session whose time is over after a second. */
function limited(response: StubResponse, more: Partial<Target> = {}) {
  const stop = new AbortController();
  const target = handledTarget(() => response, more);
  const session = sessionAt(target, { stop });
  session.limitTime(new Map(), 1, () => stop.abort());
  return { session, stop };
}

test('a wait for a rate limit ends with the time of the run, although nothing is sent', async () => {
  const { session } = limited(overLimit('60'));
  await expect(session.send(read)).rejects.toThrow('the run was interrupted');
  expect(session.budget.stops).toEqual(['the run reached its longest duration of 1 s']);
  await session.close();
});

test('a clock that never answers does not outlast the time of the run', async () => {
  const { session } = limited(json({ ok: true }), { clock: { advance: () => new Promise(() => {}) } });
  await expect(session.time.advance(60)).rejects.toThrow('the clock could not be advanced');
  expect(session.budget.stops).toEqual(['the run reached its longest duration of 1 s']);
  await session.close();
});

test("a wait for the deployment's time does not count as time of the run, not even while it lasts", async () => {
  const { session, stop } = limited(json({ ok: true }));
  await Promise.all([session.time.wait(1.5, 'expiry'), session.time.wait(1.4, 'expiry')]);
  expect(stop.signal.aborted).toBe(false);
  expect(session.time.waitedMs).toBeGreaterThan(1400);
  expect(session.time.waitedMs).toBeLessThan(2800);
  await session.close();
});

test('a request that is sent around another one waits for it if only one may be in flight', async () => {
  const session = sessionAt(handledTarget(() => json({ ok: true }), { pace: { ...defaultPace, concurrency: 1 } }));
  let inner: Promise<unknown> | undefined;
  const around = async () => {
    const sent = session.send(read);
    inner = sent;
    return await sent;
  };
  await session.send({ ...read, around });
  await inner;
  expect(session.exchanges).toHaveLength(2);
});
