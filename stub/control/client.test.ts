import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reply } from '../../test/stub/client.ts';
import { createStub, type Stub } from '../index.ts';
import { type ControlClient, connect } from './client.ts';

let stub: Stub;
let control: ControlClient;
let origin = '';

beforeAll(async () => {
  stub = createStub({ control: true });
  origin = (await stub.listen()).origin;
  control = connect({ url: `${origin}/__control/`, token: stub.control?.token ?? '' });
});

afterAll(() => stub.close());

type Minted = Awaited<ReturnType<ControlClient['mint']>>;

async function call({ baseUrl, keys }: Minted, tool: string, args: object, role: 'primary' | 'sole' = 'primary') {
  const answer = await fetch(`${baseUrl}/api/v1/tools/${tool}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys[role]}`, 'content-type': 'application/json' },
    body: JSON.stringify(args),
  });
  return { status: answer.status, body: (await answer.json()) as Reply['body'] };
}

test('a world is minted with what was asked for, and is called where it says', async () => {
  const world = await control.mint({
    seed: 4,
    size: 2,
    rateLimit: 3,
    variants: ['path-prefix'],
    defects: ['ok-as-number'],
  });
  expect(world.baseUrl).toBe(`${origin}/~${world.id}/edge/v9`);
  expect((await call(world, 'connections.status', {})).body.ok).toBe(1);
  expect((await call(world, 'library.search', {})).body.total).toBe(3);
  expect((await call(world, 'library.search', {})).status).toBe(200);
  expect((await call(world, 'library.search', {})).status).toBe(429);
  expect(await world.access()).toMatchObject({ seed: 4, keys: world.keys });
  expect((await control.worlds()).map(({ world }) => world)).toContain(world.id);
  await world.drop();
  await expect(world.state()).rejects.toThrow('404');
});

test('the clock is read, moved, stopped and let go', async () => {
  const { clock } = await control.mint();
  const { now, frozen } = await clock.read();
  expect(frozen).toBe(false);
  expect(await clock.freeze()).toMatchObject({ frozen: true });
  const stood = await clock.advance(3600);
  expect(Date.parse(stood.now) - Date.parse(now)).toBeGreaterThanOrEqual(3_600_000);
  expect(await clock.read()).toEqual(stood);
  expect(await clock.resume()).toMatchObject({ frozen: false });
  await expect(clock.advance(-1)).rejects.toThrow('forward only');
});

test('a sandbox begins at a time of its own, is set to a later one, and begins there again', async () => {
  const world = await control.mint({ now: '2027-03-08T09:00:00Z' });
  expect((await call(world, 'schedule.read', {})).body.week_start).toBe('2027-03-08');
  expect((await world.clock.set('2027-03-16T00:00:00Z')).now).toMatch(/^2027-03-16T00:00:0/);
  expect((await call(world, 'schedule.read', {})).body.week_start).toBe('2027-03-15');
  await expect(world.clock.set('2027-03-15T00:00:00Z')).rejects.toThrow('forward only: it shows 2027-03-16');
  for (const wrong of ['tomorrow', '2027-02-30T00:00:00Z', '2027-03-16']) {
    await expect(world.clock.set(wrong)).rejects.toThrow('expected a time such as');
    await expect(control.mint({ now: wrong })).rejects.toThrow('now: expected a time such as');
  }
  await world.reset();
  expect((await world.clock.read()).now).toMatch(/^2027-03-08T09:00:0/);
});

test('faults, switches, a person, snapshots and the state', async () => {
  const world = await control.mint();
  await world.faults.add({ tool: 'schedule.read', status: 503, times: 2 }, { drop: 'before', role: 'sole' });
  expect((await call(world, 'schedule.read', {})).status).toBe(503);
  expect(await world.faults.unmet()).toHaveLength(2);
  expect(await world.faults.met()).toMatchObject([{ status: 503, metBy: 3 }]);
  await world.faults.clear();

  expect((await world.switch('sole', { key: 'expired' })).keys.find(({ role }) => role === 'sole')?.state).toBe(
    'expired',
  );
  expect((await call(world, 'schedule.read', {}, 'sole')).status).toBe(401);
  await expect(world.switch('sole', { pin: 'north' })).rejects.toThrow('does not reach');

  const snapshot = await world.snapshot();
  const request = { board: world.workspaces[0]?.board, brief: 'a cup', count: 1, shape: world.shape };
  const { confirmation_id } = (await call(world, 'images.generate', request)).body;
  await world.person.approve(confirmation_id);
  expect((await world.state()).proposals).toMatchObject([{ confirmation_id, person: 'approved' }]);
  await call(world, 'images.generate', { ...request, confirmation_id });
  expect(await world.state()).toMatchObject({ charged: 4, dispatched: [{ confirmation_id }], proposals: [] });
  await expect(world.person.deny('cnf_none')).rejects.toThrow('There is no open proposal');
  await world.person.picks('north');
  const { requirements } = await world.judgement();
  expect(requirements.find(({ id }) => id === 'client-confirmations.approved')?.status).toBe('passed');

  await world.restore(snapshot);
  expect(await world.state()).toMatchObject({ charged: 0, dispatched: [] });
  await expect(world.restore('s0')).rejects.toThrow("no snapshot 's0'");
  await world.expireProposals();
  await world.reset();
  expect(await world.journal()).toEqual({ events: [], dropped: 0 });
});

test('events come as they happen', async () => {
  const world = await control.mint();
  await call(world, 'credits.balance', {});
  const stop = new AbortController();
  const tools: (string | null)[] = [];
  const reading = (async () => {
    for await (const event of world.events({ signal: stop.signal })) {
      if (event.kind === 'exchange') tools.push(event.tool);
      if (tools.length === 1) await call(world, 'schedule.read', {});
      if (tools.length === 2) stop.abort();
    }
  })();
  await expect(reading).rejects.toThrow('abort');
  expect(tools).toEqual(['credits.balance', 'schedule.read']);
});

test('events end when the world is dropped', async () => {
  const world = await control.mint();
  await call(world, 'credits.balance', {});
  const tools: (string | null)[] = [];
  for await (const event of world.events()) {
    if (event.kind === 'exchange') tools.push(event.tool);
    await world.drop();
  }
  expect(tools).toEqual(['credits.balance']);
});

test('within a process a world is called where it says, too', async () => {
  const token = stub.control?.token ?? '';
  const within = connect({ url: `${stub.baseUrl}/__control/`, token, fetch: stub.fetch });
  const world = await within.mint({ seed: 3 });
  expect(world.baseUrl).toBe(`http://stub.invalid/~${world.id}`);
  expect(await world.access()).toMatchObject({ baseUrl: world.baseUrl });
  expect((await within.main.access()).baseUrl).toBe(stub.baseUrl);
  const answer = await stub.fetch(`${world.baseUrl}/api/v1/tools/credits.balance`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.keys.primary}` },
  });
  expect(await answer.json()).toMatchObject({ ok: true });
});

const page = (headers: Record<string, string>, path = 'worlds') =>
  stub.handle({
    method: 'GET',
    path: `/__control/${path}`,
    headers: { 'x-control-token': stub.control?.token, ...headers },
    body: null,
  });

test.each<[Record<string, string>, number]>([
  [{}, 200],
  [{ host: '127.0.0.1:4010' }, 200],
  [{ host: 'localhost' }, 200],
  [{ host: 'app.localhost:1' }, 200],
  [{ host: '[::1]:4010' }, 200],
  [{ host: 'stub:4010' }, 200],
  [{ host: 'rebound.example.test' }, 403],
  [{ host: 'rebound.example.test:4010' }, 403],
  [{ host: '127.0.0.1.example.test' }, 403],
  [{ 'sec-fetch-site': 'same-origin' }, 200],
  [{ 'sec-fetch-site': 'none' }, 200],
  [{ 'sec-fetch-site': 'same-site' }, 403],
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{ host: 'localhost:4010', origin: 'http://localhost:4010' }, 200],
  [{ host: '[::1]:4010', origin: 'http://[::1]:4010' }, 200],
  [{ host: 'localhost:4010', origin: 'http://localhost:3000' }, 403],
  [{ host: 'localhost:4010', origin: 'http://rebound.example.test' }, 403],
  [{ host: 'localhost:4010', origin: 'null' }, 403],
])('a request with %j gets %i', (headers, status) => {
  const answer = page(headers);
  expect(answer.status).toBe(status);
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('what is wrong with a body is said with an example', async () => {
  const post = (path: string, body: string) => {
    const headers = { 'x-control-token': stub.control?.token };
    const answer = stub.handle({ method: 'POST', path: `/__control/${path}`, headers, body: Buffer.from(body) });
    return `${answer.status} ${JSON.parse(answer.body).problem}`;
  };
  expect(post('worlds', '{"size":1001}')).toMatch(
    /^400 A sandbox: size: expected an integer from 0 to 1000, got 1001\. Send/,
  );
  expect(post('worlds', '{"deviation":1}')).toMatch(/^400 A sandbox: unknown member 'deviation' \(known: seed/);
  expect(post('worlds', '[]')).toMatch(/^400 body: .*object/);
  expect(post('worlds', '{"variants":[1]}')).toMatch(
    /^400 A sandbox: variants: expected a list of strings, got \[1\]\. Send/,
  );
  expect(post('worlds', '{"variants":["no"]}')).toMatch(/^400 there is no variant 'no'\. Send/);
  expect(post('worlds/main/clock', '{"frozen":true,"seconds":-1}')).toMatch(/^400 A clock moves forward only/);
  expect(stub.clock.frozen()).toBe(false);
  expect(post('worlds/main/faults', '{"faults":[{"status":99}]}')).toMatch(
    /^400 A fault: status: expected an integer from/,
  );
  expect(post('worlds/main/faults', '{"faults":[{"status":500,"times":0}]}')).toMatch(
    /^400 A fault: times: expected an integer/,
  );
  expect(post('worlds/main/switches', '{"role":"nobody"}')).toMatch(/^400 body\.role/);
  expect(post('worlds/main/switches', '{"role":"sole","rateLimit":-1}')).toMatch(
    /^400 A switch: rateLimit: expected an integer from 0/,
  );
  expect(post('worlds/none/reset', '')).toMatch(/^404/);
  expect(page({}, 'worlds/main/reset')).toMatchObject({ status: 405, headers: { allow: 'POST' } });
});
