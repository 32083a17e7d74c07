import { expect, test } from 'vitest';
import { serveStub } from '../../cli/stub.ts';
import { clientOf, controlOf } from '../../test/stub/client.ts';
import { createStub, type Stub } from '../index.ts';
import type { Fault } from './fault.ts';
import { mostFaults } from './queue.ts';

test('each fault is met once, by the first call that it fits', () => {
  const world = createStub();
  const call = clientOf(world);
  world.faults.add({ tool: 'schedule.read', status: 503 }, { status: 500, role: 'sole' });
  expect(call('credits.balance').status).toBe(200);
  expect(call('schedule.read').status).toBe(503);
  expect(call('schedule.read').status).toBe(200);
  expect(call('credits.balance', {}, { authorization: null }).status).toBe(401);
  expect(world.faults.unmet()).toEqual([{ fault: 2, status: 500, role: 'sole', metBy: null }]);
  expect(call('no-such-tool', {}, { role: 'sole' }).status).toBe(404);
  expect(call('library.search', {}, { role: 'sole' }).status).toBe(500);
  expect(world.faults.unmet()).toEqual([]);
  const met = world.faults.met().map(({ fault, metBy }) => [fault, metBy]);
  const exchanges = world.journal().events.flatMap((event) => (event.kind === 'exchange' ? [event] : []));
  expect(met).toEqual(exchanges.flatMap(({ fault, seq }) => (fault === null ? [] : [[fault, seq]])));
});

test('a response in the place of another is of the form that its status has', () => {
  const world = createStub();
  const call = clientOf(world);
  world.faults.add(
    { retryAfterSeconds: 7 },
    { status: 429, message: 'Soon.' },
    { code: 'too_late', message: 'Not today.' },
    { status: 403, code: 'closed' },
  );
  const limited = call('credits.balance');
  const { error } = limited.body;
  expect([limited.status, limited.headers['retry-after'], error.retry_after_seconds]).toEqual([429, '7', 7]);
  expect(call('credits.balance')).toMatchObject({
    headers: { 'retry-after': '1' },
    body: { error: { message: 'Soon.', retry_after_seconds: 1 } },
  });
  const refused = call('credits.balance');
  expect(refused).toMatchObject({ status: 200, body: { ok: false, code: 'too_late', message: 'Not today.' } });
  expect(refused.headers['x-service-tool-error']).toBe('false');
  expect(call('credits.balance')).toMatchObject({ status: 403, body: { error: { code: 'closed' } } });
  expect(call('credits.balance').body.ok).toBe(true);
});

test('a call whose answer is dropped has done its work, or has not, as was asked', () => {
  const world = createStub();
  const call = clientOf(world);
  const request = { board: world.workspaces[0]?.board, brief: 'a cup', count: 3, shape: '1:1' };
  const { confirmation_id } = call('images.generate', request).body;
  world.faults.add({ confirming: true, drop: 'before' }, { confirming: true, drop: 'after' });
  const confirm = () => call('images.generate', { ...request, confirmation_id });
  call('images.generate', request);
  expect(world.faults.unmet()).toHaveLength(2);
  confirm();
  expect(world.stats.runsDispatched).toBe(0);
  confirm();
  expect(world.stats.runsDispatched).toBe(1);
  // Retries after the first dispatch do not spend again.
  for (let again = 0; again < 3; again++) expect(confirm().body.code).toBe('confirmation_invalid');
  expect(world.state()).toMatchObject({ charged: 12, dispatched: [{ confirmation_id, images: 3, credits: 12 }] });
  const kinds = world.journal().events.flatMap((event) => (event.kind === 'exchange' ? [event.delivery] : []));
  expect(kinds.slice(2, 4)).toEqual(['dropped-before-effect', 'dropped-after-effect']);
});

test('a fault is met by calls of tools alone', async () => {
  await using stub = createStub();
  const call = clientOf(stub);
  stub.faults.add({ tool: 'schedule.read', status: 503 });
  expect(call('schedule.read', {}, { method: 'GET' }).status).toBe(405);
  const headers = { authorization: `Bearer ${stub.keys.primary}` };
  for (const path of ['/schedule.read', '/api/v1/tools/x/schedule.read']) {
    expect(stub.handle({ method: 'POST', path, headers, body: null }).status).toBe(404);
  }
  expect(call('schedule.read?x=/').status).toBe(503);
});

test('a response that has no body by its status has none', async () => {
  await using stub = createStub();
  const { baseUrl } = await stub.listen();
  const headers = { authorization: `Bearer ${stub.keys.primary}` };
  const path = '/api/v1/tools/schedule.read';
  for (const status of [204, 304]) {
    stub.faults.add({ status }, { status, latencyMs: 1 }, { status });
    const responses = [
      await stub.fetch(stub.baseUrl + path, { method: 'POST', headers }),
      await stub.fetch(stub.baseUrl + path, { method: 'POST', headers }),
      await fetch(baseUrl + path, { method: 'POST', headers }),
    ];
    for (const response of responses) expect([response.status, await response.text()]).toEqual([status, '']);
  }
});

test('too many faults are refused, and none of them is queued', () => {
  const { faults } = createStub();
  faults.add(...Array.from({ length: mostFaults }, () => ({ status: 500 })));
  expect(() => faults.add({ status: 500 })).toThrow(RangeError);
  expect(faults.unmet()).toHaveLength(mostFaults);
  faults.clear();
  expect(faults.unmet()).toEqual([]);
});

test('a fault may write the whole response', () => {
  const world = createStub();
  const location = 'http://127.0.0.1:1/elsewhere';
  world.faults.add(
    { status: 502, body: '<h1>Bad Gateway</h1>' },
    { status: 307, body: '', headers: { location } },
    { retryAfterSeconds: 3, headers: { 'retry-after': '3.5' } },
  );
  const send = () => {
    const headers = { authorization: `Bearer ${world.keys.primary}` };
    return world.handle({ method: 'POST', path: '/api/v1/tools/credits.balance', headers, body: null });
  };
  expect(send()).toMatchObject({ status: 502, body: '<h1>Bad Gateway</h1>', headers: { 'content-type': 'text/html' } });
  expect(send()).toMatchObject({ status: 307, body: '', headers: { location } });
  expect(send()).toMatchObject({ status: 429, headers: { 'retry-after': '3.5' } });
  const [page] = world.journal().events.flatMap((event) => (event.kind === 'exchange' ? [event.answer?.body] : []));
  expect(page).toBe('<h1>Bad Gateway</h1>');
});

test.each([
  [{ status: 99 }, 'status: Too small: expected number to be >=200, got 99.'],
  [{ status: 200, retryAfterSeconds: 3 }, 'retryAfterSeconds needs the status 429'],
  [{ latencyMs: { p50: 100, p95: 99 } }, 'latencyMs: expected p50 at most p95'],
  [{ drop: 'later' }, 'drop: Invalid option: expected one of "before"|"after"'],
  [{ drop: 'before', status: 503 }, 'drop sends no response'],
  [{ tool: 'schedule.reed' }, 'tool: Invalid option: expected one of'],
  [{ code: '' }, 'code: Too small: expected string to have >=1 characters'],
  [{ code: 'tenant_mcp.rate_limited' }, 'code tenant_mcp.rate_limited needs the status 429'],
  [{ status: 403, code: 'invalid_arguments' }, 'code invalid_arguments needs the status 200'],
  [{ message: 'No.' }, 'message needs status'],
  [{ status: 204, code: 'none' }, 'no body; leave out code'],
  [{ tool: 'schedule.read', confirming: true, status: 503 }, 'confirming needs the tool images.generate'],
  [{ retryAfter: 3 }, 'Unrecognized key: "retryAfter" (known: tool, role'],
  [{ trickleMs: 10, cutAtBytes: 3 }, 'trickleMs needs a body'],
  [{ change: { ok: false }, status: 503 }, 'change needs the real response'],
  [{ status: 503, times: 'ever' }, 'or "always"'],
  [{ status: 500, probability: 0 }, 'probability: Too small: expected number to be >0'],
  [{ status: 502, body: 'x', message: 'y' }, 'body is the whole body; leave out message'],
  [{ status: 502, headers: { 'content-length': '7' } }, 'other than content-length'],
  [{ status: 502, headers: { 'X-Upper': '7' } }, 'lower case'],
  [{ status: 502, headers: { a: 'b\r\nc: d' } }, 'headers: expected'],
])('a fault that cannot be, such as %j, is refused at once, and none beside it is queued', (fault, why) => {
  const { faults } = createStub();
  // The cast is needed because the type excludes some of these faults.
  expect(() => faults.add({ status: 500 }, fault as object)).toThrow(why);
  expect(faults.unmet()).toEqual([]);
});

test('a fault may be met several times, and by some requests only, the same ones for the same seed', () => {
  const statuses = (seed: number) => {
    const world = createStub({ seed });
    const call = clientOf(world);
    world.faults.add({ status: 503, times: 20, probability: 0.25 });
    const answered = Array.from({ length: 40 }, () => call('credits.balance').status);
    const met = answered.filter((status) => status === 503).length;
    expect(world.faults.met()).toHaveLength(met);
    expect(world.faults.unmet()).toMatchObject([{ left: 20 - met }]);
    return answered;
  };
  expect(statuses(1)).toEqual(statuses(1));
  expect(statuses(1)).not.toEqual(statuses(2));
  const met = statuses(1).filter((status) => status === 503).length;
  expect(met).toBeGreaterThan(2);
  expect(met).toBeLessThan(19);
  const world = createStub();
  world.faults.add({ status: 500, times: 2 }, { status: 503 });
  expect([1, 2, 3, 4].map(() => clientOf(world)('credits.balance').status)).toEqual([500, 500, 503, 200]);
  expect(world.faults.unmet()).toEqual([]);
});

test('a fault selects requests by their arguments, after the first ones, and always', () => {
  const world = createStub();
  const call = clientOf(world);
  const [board] = world.workspaces.map((one) => one.board);
  world.faults.add(
    { tool: 'library.search', args: { query: 'tea' }, status: 503 },
    { tool: 'images.generate', args: { count: 2 }, status: 500, times: 'always' },
    { tool: 'credits.balance', after: 2, status: 502 },
  );
  expect(['', 'tea', 'tea'].map((query) => call('library.search', { query }).status)).toEqual([200, 503, 200]);
  const request = { board, brief: 'a cup', shape: '1:1' };
  expect([1, 2, 2].map((count) => call('images.generate', { ...request, count }).status)).toEqual([200, 500, 500]);
  expect([1, 2, 3, 4].map(() => call('credits.balance').status)).toEqual([200, 200, 502, 200]);
  expect(world.faults.unmet()).toMatchObject([{ fault: 2, times: 'always' }]);
  world.faults.verify();
});

test('a fault changes members of the real response, and only those', () => {
  const world = createStub();
  const call = clientOf(world);
  const before = call('library.search').body;
  world.faults.add({ change: { 'items.0.title': null, 'working_in.note': 7, '__proto__.x': 1, 'no.such.member': 1 } });
  const { body } = call('library.search');
  expect(body).toMatchObject({ items: [{ title: null }, ...before.items.slice(1)], working_in: { note: 7 } });
  expect(Object.keys(body)).toEqual(Object.keys(before));
  expect({}).not.toHaveProperty('x');
  const request = { board: world.workspaces[0]?.board, brief: 'a cup', count: 1, shape: '1:1' };
  world.faults.add({ change: { confirmation_id: 'cnf_other' } });
  expect(call('images.generate', request).body.confirmation_id).toBe('cnf_other');
  expect(world.state().proposals).toHaveLength(1);
});

const nowhere = { print: () => undefined, stop: AbortSignal.abort() };
const token = 'a token for tests';

test.each([
  [{ tool: 'schedule.read' }, 'it has no effect'],
  [{ status: 503, latencyMs: 0 }, 'latencyMs: Too small: expected number to be >=1'],
  [{ statusCode: 503 }, 'Unrecognized key: "statusCode"'],
])('%j is refused on the command line, over the control plane and in the library', async (fault, why) => {
  const stub = createStub({ control: { token } });
  // The cast is needed because the type excludes some of these faults.
  expect(() => stub.faults.add(fault as object)).toThrow(why);
  const { status, body } = controlOf(stub, token)('POST', '/main/faults', { faults: [fault] });
  expect([status, body.problem]).toEqual([400, expect.stringContaining(why)]);
  const served = serveStub({ port: 0, fault: [JSON.stringify(fault)] }, nowhere);
  await expect(served).rejects.toThrow('--fault: A fault: ');
  await expect(served).rejects.toThrow(why);
});

// The specification does not show every code, so clients must handle codes that they do not know.
test.each<Fault>([
  { tool: 'library.get', code: 'temporarily_frozen' },
  { tool: 'images.generate', confirming: false, code: 'board_not_found' },
  { confirming: true, code: 'confirmation_invalid' },
  { status: 403, code: 'tenant_mcp.another_switch' },
  { retryAfterSeconds: 3, code: 'tenant_mcp.rate_limited' },
])('%j is accepted', (fault) => {
  expect(createStub({}).faults.add(fault)).toEqual([1]);
});

test.each(['', '{', '7', '[]'])('--fault %j is wrong usage', async (fault) => {
  await expect(serveStub({ port: 0, fault: [fault] }, nowhere)).rejects.toThrow('--fault: ');
});

test('what changes nothing is refused like a fault that never strikes', () => {
  const stub = createStub({ control: { token } });
  expect(() => stub.faults.add()).toThrow('expected at least one fault');
  expect(() => stub.switch('primary', {})).toThrow('expected at least one of key, capability');
  const send = (path: string, sent: object) => controlOf(stub, token)('POST', `/main/${path}`, sent).status;
  expect(send('switches', { role: 'primary' })).toBe(400);
  expect(send('clock', {})).toBe(400);
  expect(send('faults', { faults: [] })).toBe(400);
  for (const path of ['reset', 'faults/verify']) {
    expect(send(path, { seconds: 60 })).toBe(400);
    expect(send(path, {})).toBeLessThan(300);
  }
});

test('a command that ends well fails where its requests met none of a fault, and says so', async () => {
  const call = `fetch(process.env.TCK_BASE_URL + '/api/v1/tools/schedule.read', { method: 'POST',
    headers: { authorization: 'Bearer ' + process.env.TCK_KEY_PRIMARY } }).then(({ status }) => {
      if (status !== 503) process.exitCode = 9; })`;
  const run = async (...faults: object[]) => {
    const warned: string[] = [];
    const { signal: stop } = new AbortController();
    const io = { print: () => undefined, warn: (line: string) => warned.push(line), stop };
    const fault = faults.map((each) => JSON.stringify(each));
    return [await serveStub({ fault, program: [process.execPath, '-e', call] }, io), ...warned];
  };
  const met = { tool: 'schedule.read', status: 503 };
  expect(await run(met)).toEqual([0]);
  expect(await run()).toEqual([9]);
  const unmet = 'tck: No request met the fault 2 {"tool":"credits.balance","drop":"before"}.';
  expect(await run(met, { tool: 'credits.balance', drop: 'before' })).toEqual([1, unmet]);
});

type Body = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Sends a request over HTTP and in process. */
function waysTo({ keys, fetch: own, baseUrl: inside }: Stub, baseUrl: string, tool: string) {
  const path = `/api/v1/tools/${tool}`;
  const init = { method: 'POST', headers: { authorization: `Bearer ${keys.primary}` } } as const;
  return [
    async (): Promise<Body> => (await fetch(baseUrl + path, init)).body ?? [],
    async (): Promise<Body> => (await own(inside + path, init)).body ?? [],
  ];
}

async function piecesOf(body: Body) {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return pieces;
}

test('a body that trickles comes whole, in pieces, over HTTP and in process alike', async () => {
  await using stub = createStub();
  const { baseUrl } = await stub.listen();
  for (const way of waysTo(stub, baseUrl, 'schedule.read')) {
    stub.faults.add({ trickleMs: 50 });
    const pieces = await piecesOf(await way());
    expect(pieces.length).toBeGreaterThan(1);
    expect(JSON.parse(Buffer.concat(pieces).toString())).toMatchObject({ ok: true });
  }
  stub.faults.add({ trickleMs: 60_000 });
  const headers = { authorization: `Bearer ${stub.keys.primary}` };
  // Canceling the body must stop the timer.
  await (await stub.fetch(`${stub.baseUrl}/api/v1/tools/schedule.read`, { method: 'POST', headers })).body?.cancel();
});

test('a body that is cut breaks off, however long it is', async () => {
  await using stub = createStub();
  const { baseUrl } = await stub.listen();
  for (const way of waysTo(stub, baseUrl, 'credits.balance')) {
    stub.faults.add({ cutAtBytes: 4 }, { cutAtBytes: 1_000_000 });
    for (let fault = 0; fault < 2; fault++) await expect(way().then(piecesOf)).rejects.toThrow();
    expect(stub.faults.unmet()).toEqual([]);
  }
});
