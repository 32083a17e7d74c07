import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import type { StubRequest, StubResponse } from '../../stub/server/handle.ts';
import { overLimit as busy, handledTarget, json, primaryKey as key, sessionAt } from '../../test/handled-target.ts';
import { skippingTimer } from '../../test/skipping-timer.ts';
import type { RunEvent } from '../result.ts';
import type { Target } from '../target/target.ts';
import { nearMisses } from '../topics/authentication/made-credentials.ts';
import { mostContentRequests, NotTested } from './budget.ts';
import { type Call, type Credential, effectOf, Unanswered } from './call.ts';

const ok = json({ ok: true });
const other: Credential = { label: 'sole', role: 'sole', header: 'Bearer s', good: true };
const read: Call = { tool: 'schedule.read', credential: key, args: {} };

/** Session with a server that responds as `handle` returns. Waiting takes no time. */
function sessionWith(
  handle: (request: StubRequest, nth: number) => StubResponse,
  more: Partial<Target> = {},
  onEvent: (event: RunEvent) => void = () => undefined,
) {
  let [calls, skippedSeconds] = [0, 0];
  const target = handledTarget((request, nth) => {
    calls = nth;
    return handle(request, nth);
  }, more);
  const timer = skippingTimer((seconds) => {
    skippedSeconds += seconds;
  });
  return { session: sessionAt(target, { onEvent, timer }), calls: () => calls, skippedSeconds: () => skippedSeconds };
}

describe('a 429 that the call does not test', () => {
  test.each<[string | undefined, number]>([
    ['7', 7],
    ['90', 90],
    ['soon', 1],
    ['0', 1],
    ['-3', 1],
    ['1.5', 1],
    [undefined, 1],
  ])('with Retry-After %j is waited out for %i s, and the call repeated', async (value, seconds) => {
    const events: RunEvent[] = [];
    const handle = (_: StubRequest, nth: number) => (nth === 1 ? busy(value) : ok);
    const { session, calls, skippedSeconds } = sessionWith(handle, {}, (event) => events.push(event));
    const { response } = await session.send(read);
    expect([response.status, calls()]).toEqual([200, 2]);
    const [first, second] = session.exchanges;
    expect(first).toMatchObject({ response: { status: 429 } });
    expect((second?.sentAt ?? 0) - (first?.sentAt ?? 0)).toBeGreaterThanOrEqual(seconds * 1000);
    expect(skippedSeconds()).toBeLessThan(seconds + 0.5);
    expect(events).toEqual([{ kind: 'waiting', reason: expect.stringContaining('primary'), seconds }]);
  });

  test('that asks for more than maxWaitSeconds is not waited out, and the error shows no credential', async () => {
    const { session, calls, skippedSeconds } = sessionWith(() => busy('91'));
    const error: unknown = await session.send(read).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('a 429 asks to wait 91 s, longer than maxWaitSeconds');
    expect([calls(), skippedSeconds()]).toEqual([1, 0]);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('Bearer k');
  });

  test('again and again ends the call without a response, and names the exchange', async () => {
    const { session, calls, skippedSeconds } = sessionWith(() => busy('2'));
    const error: unknown = await session.send(read).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Unanswered);
    expect((error as Unanswered).exchange?.response?.status).toBe(429);
    expect(calls()).toBeLessThan(10);
    expect(skippedSeconds()).toBeLessThan(20);
  });

  test('holds up its own key and no other', async () => {
    const { session, skippedSeconds } = sessionWith(({ headers }, nth) =>
      headers.authorization === 'Bearer k' && nth === 1 ? busy('30') : ok,
    );
    const held = session.send(read);
    await session.send({ ...read, credential: other });
    expect(session.exchanges.at(-1)?.sender.label).toBe('sole');
    expect(skippedSeconds()).toBe(0);
    await held;
    expect(session.exchanges.at(-1)?.sender.label).toBe('primary');
  });

  test('repeats a request with a side effect too, because a refused one changed nothing', async () => {
    const { session, calls } = sessionWith((_, nth) => (nth === 1 ? busy('1') : ok));
    await session.send({ ...read, tool: 'content.create_request' });
    expect(calls()).toBe(2);
  });

  test('ends a request with a side effect after one repetition, although the clock was advanced in vain', async () => {
    const { session, calls } = sessionWith(() => busy('10'), { clock: { advance: async () => undefined } });
    await expect(session.send({ ...read, tool: 'content.create_request' })).rejects.toThrow(NotTested);
    expect(calls()).toBe(2);
  });

  test('to requests at one moment is waited out by the clock', async () => {
    const advance = vi.fn(async () => undefined);
    const { session, skippedSeconds } = sessionWith((_, nth) => (nth === 2 ? busy('30') : ok), { clock: { advance } });
    await session.sendAtOnce(read, 3);
    await session.send(read);
    expect(advance.mock.calls).toEqual([[30, expect.anything()]]);
    expect(skippedSeconds()).toBe(0);
  });

  test('is a response if the call tests it', async () => {
    const { session, calls } = sessionWith(() => busy('5'));
    expect((await session.send({ ...read, wants429: true })).response.status).toBe(429);
    expect(calls()).toBe(1);
  });
});

test.each([
  [[503, 500], 1, 'an ordinary 500 does not show that the outage is over'],
  [[503, 200], 10, 'the outage is over'],
  [[503, 404], 10, 'the outage is over'],
  [[500, 500], 10, 'an ordinary 500 shows no outage'],
])('after %j, %i requests are in flight: %s', async (statuses, most) => {
  let inFlight = 0;
  const { session } = sessionWith((_, nth) => {
    inFlight = Math.max(inFlight, session.exchanges.filter(({ response }) => response === null).length);
    return { ...ok, status: statuses[nth - 1] ?? 500 };
  });
  await session.send(read);
  inFlight = 0;
  await Promise.all(Array.from({ length: 10 }, () => session.send({ ...read, once: true })));
  expect(inFlight).toBe(most);
});

test('requests at one moment wait until their key may send again', async () => {
  let together: Promise<unknown> | undefined;
  const { session } = sessionWith(
    (_, nth) => (nth === 1 ? busy('7') : ok),
    {},
    () => {
      together = Promise.resolve().then(() => session.sendAtOnce(read, 3));
    },
  );
  await session.send(read);
  await together;
  const sentAtMs = session.exchanges.slice(1).map(({ sentAt }) => sentAt);
  expect(sentAtMs).toHaveLength(4);
  expect(Math.min(...sentAtMs)).toBeGreaterThanOrEqual(7000);
});

test('when a run is interrupted, waits end at once, and nothing more is sent', async () => {
  const stop = new AbortController();
  const target = handledTarget((_, nth) => (nth === 1 ? busy('60') : ok));
  const session = sessionAt(target, { stop });
  const waits = [session.send(read), session.time.wait(2700, 'a confirmation has to grow old')];
  setTimeout(() => stop.abort(), 20);
  for (const wait of waits) await expect(wait).rejects.toThrow('the run was interrupted');
  await expect(session.send(read)).rejects.toThrow('the run was interrupted');
  await expect(session.time.wait(5, 'whatever')).rejects.toThrow('the run was interrupted');
  expect(session.exchanges).toHaveLength(1);
});

test('no more content requests are created than a run allows itself, however many are accepted at once', async () => {
  const { session, calls } = sessionWith((_, nth) =>
    nth % 2 === 0 ? { ...ok, body: '{"ok":true,"piece_id":"p"}' } : { ...ok, body: '{"ok":false,"code":"no"}' },
  );
  const request = { ...read, tool: 'content.create_request' };
  const sent = await Promise.allSettled(Array.from({ length: 3 * mostContentRequests }, () => session.send(request)));
  expect(session.spending.ledger.leftBehind.contentRequests).toHaveLength(mostContentRequests);
  expect(calls()).toBe(2 * mostContentRequests);
  const reasons = sent.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(reasons).toHaveLength(mostContentRequests);
  for (const reason of reasons) expect(reason).toBeInstanceOf(NotTested);
  await expect(session.send(read)).resolves.toBeDefined();
});

test.each([
  ['got a final 429', Number.POSITIVE_INFINITY, 'still 429'],
  ['was never sent', 0, 'limit of requests'],
])('a request that %s counts as no content request', async (_, mostCalls, reason) => {
  const { session } = sessionWith(() => busy('1'));
  session.budget.limitCalls(new Map([['primary', mostCalls]]));
  const request = { ...read, tool: 'content.create_request' };
  for (let time = 0; time <= mostContentRequests; time++) await expect(session.send(request)).rejects.toThrow(reason);
});

describe('a key that a response repeats', () => {
  const secret = 'a-key-of-some-length';
  const primary = { role: 'primary', key: secret, variable: 'KEY' } as const;
  const repeating = (response: Partial<StubResponse>) =>
    sessionWith(() => ({ ...ok, ...response }), { keys: { primary }, secrets: [secret] }).session;

  test('is nowhere in the exchange, and is not sent back as a value', async () => {
    const body = JSON.stringify({ ok: true, confirmation_id: Buffer.from(secret).toString('hex') });
    const session = repeating({ headers: { ...ok.headers, 'x-echo': secret }, body });
    const { response } = await session.send(read);
    const text = expect.stringContaining('<primary');
    expect(response).toMatchObject({ json: { confirmation_id: '<primary, hex>' }, text });
    expect(response.headers).toContainEqual(['x-echo', '<primary>']);
    const again = session.send({ ...read, args: { confirmation_id: '<primary, hex>' } });
    await expect(again).rejects.toThrow(NotTested);
    expect(session.exchanges).toHaveLength(1);
  });

  test('is nowhere in the exchange if it was changed', async () => {
    const { shorter } = nearMisses(primary);
    const session = repeating({ status: 401, body: JSON.stringify({ error: { message: shorter.header } }) });
    const { response } = await session.send({ ...read, credential: shorter });
    expect(response.json).toMatchObject({ error: { message: 'Bearer <primary, last letter missing>' } });
  });
});

test.each([
  ['content%2Ecreate_request', 'writes'],
  ['content.create_request/', 'writes'],
  ['content.create_request;v=1', 'writes'],
  ['content.create_request?x=schedule.read', 'writes'],
  ['Content.Create_Request', 'writes'],
  ['images.generate/', 'proposals'],
  ['images.generate/more', 'proposals'],
  ['images%252Egenerate', 'proposals'],
  ['x/../images.generate', 'proposals'],
  ['schedule.read', undefined],
  ['images.generates', undefined],
])('a request for %s may have the side effect %s', (tool, effect) => {
  const good = { label: 'primary', good: true };
  expect(effectOf({ tool, credential: good })).toBe(effect);
  expect(effectOf({ tool, credential: { ...good, good: false } })).toBeUndefined();
});

test('a header of the configuration is sent, but it is not a part of the exchange', async () => {
  const seen: unknown[] = [];
  const headers = [{ name: 'X-Gateway', value: 'gateway-token', variable: 'GATEWAY' }];
  const handle = ({ headers: received }: StubRequest) => {
    seen.push(received['x-gateway']);
    return ok;
  };
  const { request } = await sessionWith(handle, { headers }).session.send(read);
  expect(seen).toEqual(['gateway-token']);
  expect(request.headers.map(([name]) => name)).not.toContain('x-gateway');
});
