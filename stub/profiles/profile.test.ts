import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { toolsPath } from '../../fixtures/contract/tools.ts';
import { clientOf, controlOf } from '../../test/stub/client.ts';
import { tck } from '../../test/tck.ts';
import { createStub, type World } from '../index.ts';
import { profileSchema, profiles } from './profile.ts';

const post = (baseUrl: string, { keys }: Pick<World, 'keys'>, tool: string) =>
  fetch(`${baseUrl}${toolsPath}${tool}`, { method: 'POST', headers: { authorization: `Bearer ${keys.primary}` } });

test('a response with latency arrives after a response without, to a request that was sent later', async () => {
  const latency = { medianMs: 0, p95Ms: 0, tools: { 'schedule.read': { medianMs: 300, p95Ms: 300 } } };
  await using stub = createStub({ profile: { latency } });
  const { baseUrl } = await stub.listen();
  const arrived: string[] = [];
  await Promise.all(
    ['schedule.read', 'credits.balance'].map(async (tool) => {
      await (await post(baseUrl, stub, tool)).text();
      arrived.push(tool);
    }),
  );
  expect(arrived).toEqual(['credits.balance', 'schedule.read']);
  const delays = stub.journal().events.flatMap((event) => (event.kind === 'exchange' ? [event.delayMs] : []));
  expect(delays.sort()).toEqual([0, 300]);
});

/** Returns the status of a response, or the code of the connection error. */
const seen = async (response: Promise<Response>): Promise<number | string> => {
  try {
    const { status, body } = await response;
    for await (const _ of body ?? []);
    return status;
  } catch (error) {
    return String(error instanceof Error && error.cause instanceof Error && 'code' in error.cause && error.cause.code);
  }
};

test('the same seed and requests give the same faults, over HTTP and in process', async () => {
  const profile = {
    faults: [
      { probability: 0.2, status: 502, body: '<h1>Bad Gateway</h1>' },
      { probability: 0.2, drop: 'before' as const, reset: true },
      { probability: 0.2, cutAtBytes: 5 },
      { probability: 0.2, retryAfterSeconds: 3 },
    ],
  };
  await using stub = createStub({ profile });
  const { baseUrl } = await stub.listen();
  const statuses = async (send: (world: World & { fetch: typeof stub.fetch }) => Promise<Response>, seed = 1) => {
    await using world = stub.mint({ seed });
    const all: (number | string)[] = [];
    for (let sent = 0; sent < 30; sent++) all.push(await seen(send(world)));
    return all;
  };
  const overHttp = await statuses((world) => post(baseUrl, world, 'credits.balance'));
  const inProcess = await statuses(({ fetch, keys }) =>
    fetch(`http://stub.invalid${toolsPath}credits.balance`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.primary}` },
    }),
  );
  expect(inProcess).toEqual(overHttp);
  expect(new Set(overHttp)).toEqual(new Set([200, 502, 429, 'ECONNRESET', 'UND_ERR_SOCKET']));
  expect(await statuses((world) => post(baseUrl, world, 'credits.balance'), 2)).not.toEqual(overHttp);
});

test('a fault of the queue replaces the fault of the profile, and keeps its latency and bandwidth', () => {
  const stub = createStub({
    profile: {
      latency: { medianMs: 20, p95Ms: 20 },
      bytesPerSecond: 1000,
      faults: [{ probability: 1, retryAfterSeconds: 3 }],
    },
  });
  const headers = { authorization: `Bearer ${stub.keys.primary}` };
  const send = () => stub.handle({ method: 'POST', path: `${toolsPath}credits.balance`, headers, body: null });
  stub.faults.add({ status: 503, body: 'x'.repeat(500) });
  expect(send()).toMatchObject({ status: 503, delivery: { delayMs: 20, trickleMs: 500 } });
  const limited = send();
  expect(limited).toMatchObject({ status: 429, delivery: { delayMs: 20, trickleMs: limited.body.length } });
  stub.profile.clear();
  expect(send()).toMatchObject({ status: 200, delivery: undefined });
  stub.reset();
  expect(send().status).toBe(429);
  expect(stub.profile.current()?.bytesPerSecond).toBe(1000);
  const notes = () => stub.journal().events.flatMap((event) => (event.kind === 'control' ? [event.what] : []));
  stub.profile.set('slow-mobile');
  expect(notes()).toEqual(['The profile was set: slow-mobile']);
});

test('the rate limit of a profile applies while the profile does', () => {
  const stub = createStub({ rateLimit: 4 });
  const call = clientOf(stub);
  const served = () => {
    stub.clock.advance(60);
    let calls = 0;
    while (call('credits.balance').status === 200) calls += 1;
    return calls;
  };
  stub.profile.set({ rateLimit: 2 });
  expect(served()).toBe(2);
  stub.profile.set({ rateLimit: 9 });
  expect(served()).toBe(4);
  stub.profile.clear();
  expect(served()).toBe(4);
});

test('the control plane creates sandboxes with a profile', async () => {
  await using stub = createStub({ control: { token: 'a-token-for-tests' } });
  const { origin } = await stub.listen();
  const control = controlOf(stub, 'a-token-for-tests');
  const world = control('POST', '', { profile: { faults: [{ probability: 1, status: 503 }] } }).body;
  const status = async () =>
    (await post(origin + world.baseUrl, { keys: { ...stub.keys, ...world.keys } }, 'schedule.read')).status;
  expect(await status()).toBe(503);
  const mint = (given: unknown) => control('POST', '', { profile: given }).text;
  expect(mint({ faults: [{ probability: 7 }] })).toContain('profile.faults.0: probability');
  expect(mint('slow')).toContain('profile: expected one of slow-mobile');
});

test('profile.schema.json is what the schema generates, and accepts the profiles with a name', async () => {
  const published = await readFile(new URL('../../fixtures/profile.schema.json', import.meta.url), 'utf8');
  expect(published).toBe(profileSchema());
  const validate = new Ajv2020({ strict: false }).compile(JSON.parse(published));
  for (const profile of Object.values(profiles)) expect(validate(profile), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ faults: [{ status: 502 }] })).toBe(false);
});

test('tck stub takes a profile by name or from a file, and names the member at fault', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tck-profile-'));
  const run = (profile: string, ...command: string[]) =>
    tck(['stub', '--profile', profile, '--', process.execPath, ...command], { cwd: folder });
  await writeFile(join(folder, 'closed.yaml'), 'faults: [{ probability: 1, status: 503 }]\n');
  await writeFile(join(folder, 'wrong.yaml'), 'latency: { medianMs: 100 }\n');
  const script = `
    const { TCK_BASE_URL: url, TCK_KEY_PRIMARY: key } = process.env;
    const headers = { authorization: 'Bearer ' + key };
    fetch(url + '${toolsPath}schedule.read', { method: 'POST', headers }).then(({ status }) => console.log(status));`;
  expect(await run('closed.yaml', '-e', script)).toMatchObject({ code: 0, stdout: '503\n' });
  expect((await run('rate-limited', '-e', script)).code).toBe(0);
  const wrong = await run('wrong.yaml', '-e', script);
  expect(wrong).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--profile: wrong.yaml: profile.latency.p95Ms: '),
  });
  const missing = await run('slow', '-e', script);
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('profiles: slow-mobile, flaky-gateway') });
  await rm(folder, { recursive: true });
});
