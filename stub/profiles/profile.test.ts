import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ToolName, toolNames, toolsPath } from '../../fixtures/contract/tools.ts';
import { clientOf, controlOf } from '../../test/stub/client.ts';
import { tck } from '../../test/tck.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { createStub, type Profile, type World } from '../index.ts';
import { type ProfileName, profileNames } from './profile.ts';

const post = (baseUrl: string, { keys }: Pick<World, 'keys'>, tool: string) =>
  fetch(`${baseUrl}${toolsPath}${tool}`, { method: 'POST', headers: { authorization: `Bearer ${keys.primary}` } });

const folder = temporaryFolder();

/** What the sandbox plans for requests of these tools. */
function planned(profile: Profile, seed: number, tools: readonly ToolName[]) {
  const stub = createStub({ profile, seed, rateLimit: 100_000 });
  const headers = { authorization: `Bearer ${stub.keys.primary}` };
  return tools.map((tool) => {
    const { status, delivery } = stub.handle({ method: 'POST', path: toolsPath + tool, headers, body: null });
    return { tool, status, delivery };
  });
}

const often = (tool: ToolName, times: number) => Array.from({ length: times }, () => tool);

test.each(profileNames as ProfileName[])('%s is the same for the same seed only', (name) => {
  const plan = (seed: number) => planned(name, seed, often('schedule.read', 50));
  expect(plan(1)).toEqual(plan(1));
  expect(plan(1)).not.toEqual(plan(2));
});

test('the order of requests to different tools does not matter', () => {
  const byTool = (tools: readonly ToolName[]) => Object.groupBy(planned('flaky-gateway', 3, tools), ({ tool }) => tool);
  const mixed = Array.from({ length: 20 }, () => [...toolNames].reverse()).flat();
  expect(byTool(mixed)).toEqual(byTool(toolNames.flatMap((tool) => often(tool, 20))));
});

test('latencies have the median and the 95th percentile of the fault', () => {
  const profile: Profile = [{ latencyMs: { p50: 200, p95: 1000 }, times: 'always' }];
  const plans = planned(profile, 1, often('credits.balance', 4000));
  const sorted = plans.map(({ delivery }) => delivery?.delayMs ?? 0).sort((a, b) => a - b);
  expect(Math.abs((sorted[2000] ?? 0) / 200 - 1)).toBeLessThan(0.1);
  expect(Math.abs((sorted[3800] ?? 0) / 1000 - 1)).toBeLessThan(0.1);
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
  const often = { probability: 0.2, times: 'always' as const };
  const profile: Profile = [
    { ...often, status: 502, body: '<h1>Bad Gateway</h1>' },
    { ...often, drop: 'before', reset: true },
    { ...often, cutAtBytes: 5 },
    { ...often, retryAfterSeconds: 3 },
  ];
  await using stub = createStub({ profile });
  const { baseUrl } = await stub.listen();
  const statuses = async (send: (world: World & { fetch: typeof stub.fetch }) => Promise<Response>, seed = 1) => {
    await using world = stub.mint({ seed });
    const all: (number | string)[] = [];
    for (let sent = 0; sent < 30; sent++) all.push(await seen(send(world)));
    return all;
  };
  const overHttp = await statuses((world) => post(baseUrl, world, 'credits.balance'));
  const inProcess = await statuses(({ fetch, keys }) => {
    const headers = { authorization: `Bearer ${keys.primary}` };
    return fetch(`http://stub.invalid${toolsPath}credits.balance`, { method: 'POST', headers });
  });
  expect(inProcess).toEqual(overHttp);
  expect(new Set(overHttp)).toEqual(new Set([200, 502, 429, 'ECONNRESET', 'UND_ERR_SOCKET']));
  expect(await statuses((world) => post(baseUrl, world, 'credits.balance'), 2)).not.toEqual(overHttp);
});

test('other faults come before those of a profile that always apply; a reset restores the profile', () => {
  const stub = createStub({ profile: [{ retryAfterSeconds: 3, times: 'always' }] });
  const status = () => clientOf(stub)('credits.balance').status;
  stub.faults.add({ status: 503 });
  expect([status(), status()]).toEqual([503, 429]);
  stub.faults.verify();
  stub.faults.clear();
  expect(status()).toBe(200);
  stub.reset();
  expect(status()).toBe(429);
});

test('the control plane creates sandboxes with a profile', () => {
  const stub = createStub({ control: { token: 'a-token-for-tests' } });
  const mint = (profile: unknown) => controlOf(stub, 'a-token-for-tests')('POST', '', { profile });
  const path = `/~${mint('rate-limited').body.world}${toolsPath}credits.balance`;
  const headers = { authorization: 'Bearer unknown' };
  expect(stub.handle({ method: 'POST', path, headers, body: null }).status).toBe(401);
  expect(mint([{ status: 503 }, { probability: 7 }]).text).toContain(
    'profile.1: probability: Too big: expected number',
  );
  expect(mint('slow').text).toContain('profile: expected one of slow-mobile');
  expect(mint([7]).text).toContain('profile.0: Invalid input: expected object, received number');
});

test('tck stub takes a profile by name or from a file, and names the member at fault', async () => {
  const run = (profile: string, ...command: string[]) =>
    tck(['stub', '--profile', profile, '--', process.execPath, ...command], { cwd: folder });
  await writeFile(join(folder, 'closed.yaml'), '[{ times: always, status: 503 }]\n');
  await writeFile(join(folder, 'wrong.yaml'), '[{ latencyMs: { p50: 100 } }]\n');
  const script = `
    const { TCK_BASE_URL: url, TCK_KEY_PRIMARY: key } = process.env;
    const headers = { authorization: 'Bearer ' + key };
    fetch(url + '${toolsPath}schedule.read', { method: 'POST', headers }).then(({ status }) => console.log(status));`;
  expect(await run('closed.yaml', '-e', script)).toMatchObject({ code: 0, stdout: '503\n' });
  expect((await run('rate-limited', '-e', script)).code).toBe(0);
  const wrong = expect.stringContaining("--profile: 'wrong.yaml' is wrong: profile.0: latencyMs: ");
  expect(await run('wrong.yaml')).toMatchObject({ code: 2, stderr: wrong });
  const missing = expect.stringContaining('profiles: slow-mobile, flaky-gateway');
  expect(await run('slow')).toMatchObject({ code: 2, stderr: missing });
});
