import { expect, test } from 'vitest';
import { handledTarget, json } from '../../test/handled-target.ts';
import { skippingTimer } from '../../test/skipping-timer.ts';
import { defaultPace } from '../target/target.ts';
import type { Call } from './call.ts';
import type { Credential } from './sent-exchange.ts';
import { Session } from './session.ts';

// Every wait ends when its reason is over, or when the time of the run is over.

const key: Credential = { label: 'primary', role: 'primary', header: 'Bearer k', good: true };
const read: Call = { tool: 'schedule.read', credential: key, args: {} };
const proposal = (count: number): Call => ({
  tool: 'images.generate',
  credential: key,
  args: { workspace: 'north', board: 'b', brief: 'a square', count, shape: '1:1' },
});

const busy = (seconds: number) =>
  json({ error: { code: 'tenant_mcp.rate_limited', message: 'Wait.' } }, 429, { 'retry-after': String(seconds) });

test('a proposal that the clock kept from being sent releases what was set aside for it', async () => {
  let failing = false;
  const advance = async () => {
    if (failing) throw new Error('the clock is gone');
  };
  const target = handledTarget((_, nth) => (nth === 2 ? busy(30) : json({ ok: true })), { clock: { advance } });
  const timer = skippingTimer(() => undefined);
  const session = new Session(target, new AbortController().signal, () => undefined, timer);
  // Shows that the rate limit follows the clock, so that the kit advances the clock before the next proposal.
  await session.send(read);
  await session.send(read);
  failing = true;
  await expect(session.send(proposal(2))).rejects.toThrow('the clock is gone');
  failing = false;
  await session.send(proposal(8));
  expect(session.spending.images.free).toBe(8);
});

test('a wait for a limit ends with the time of the run, although nothing is sent', async () => {
  const stop = new AbortController();
  const session = new Session(
    handledTarget(() => busy(60)),
    stop.signal,
    () => undefined,
  );
  session.limitTime(new Map(), 1, () => stop.abort());
  await expect(session.send(read)).rejects.toThrow('the run was interrupted');
  expect(session.budget.stops).toEqual([expect.stringContaining('the run reached its longest duration of 1 s')]);
  await session.close();
});

test('a wait for images that are set aside ends with the run', async () => {
  const stop = new AbortController();
  const session = new Session(
    handledTarget(({ body }) => (Buffer.from(body ?? []).includes('"count":1') ? busy(60) : json({ ok: true }))),
    stop.signal,
    () => undefined,
  );
  const held = session.send(proposal(1));
  const waiting = session.send(proposal(8));
  setTimeout(() => stop.abort(), 100);
  const ends = await Promise.allSettled([held, waiting]);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(session.spending.images.free).toBe(8);
});

test("a wait for the deployment's time does not count as time of the run, not even while it lasts", async () => {
  const stop = new AbortController();
  const session = new Session(
    handledTarget(() => json({ ok: true })),
    stop.signal,
    () => undefined,
  );
  session.limitTime(new Map(), 1, () => stop.abort());
  await Promise.all([session.time.wait(1.5, 'expiry'), session.time.wait(1.4, 'expiry')]);
  expect(stop.signal.aborted).toBe(false);
  expect(session.time.waitedMs).toBeGreaterThan(1400);
  expect(session.time.waitedMs).toBeLessThan(2800);
  await session.close();
});

test('a request that is sent around another one waits for it if only one may be in flight', async () => {
  const target = handledTarget(() => json({ ok: true }), { pace: { ...defaultPace, concurrency: 1 } });
  const session = new Session(target, new AbortController().signal, () => undefined);
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
