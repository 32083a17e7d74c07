import { expect, test } from 'vitest';
import { serveStub } from '../../cli/stub.ts';
import { createStub } from '../index.ts';
import type { Fault } from './fault.ts';

const nowhere = { print: () => undefined, stop: AbortSignal.abort() };
const headers = { 'x-control-token': 'a token for tests' };

// The other faults that are refused are in faults.test.ts.
test.each([
  [{ tool: 'schedule.read' }, 'it has no effect'],
  [{ status: 503, latencyMs: 0 }, 'latencyMs: Too small: expected number to be >=1'],
  [{ statusCode: 503 }, 'Unrecognized key: "statusCode"'],
])('%j is refused on the command line, over the control plane and in the library', async (fault, why) => {
  const stub = createStub({ control: { token: headers['x-control-token'] } });
  // The cast is needed because the type excludes some of these faults.
  expect(() => stub.faults.add(fault as object)).toThrow(why);
  const body = Buffer.from(JSON.stringify({ faults: [fault] }));
  const refused = stub.handle({ method: 'POST', path: '/__control/worlds/main/faults', headers, body });
  expect(refused.status).toBe(400);
  expect(JSON.parse(refused.body).problem).toContain(why);
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
  const stub = createStub({ control: { token: headers['x-control-token'] } });
  expect(() => stub.faults.add()).toThrow('expected at least one fault');
  expect(() => stub.switch('primary', {})).toThrow('expected at least one of key, capability');
  const send = (path: string, sent: object) => {
    const body = Buffer.from(JSON.stringify(sent));
    return stub.handle({ method: 'POST', path: `/__control/worlds/main/${path}`, headers, body }).status;
  };
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
