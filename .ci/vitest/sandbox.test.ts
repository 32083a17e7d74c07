// A test that uses the package. CI runs the test with each supported major version of Vitest.
import { audit, defineTarget, type RunResult } from 'content-workspace-tck';
import { createStub, type Fault } from 'content-workspace-tck/stub';
import { test } from 'content-workspace-tck/vitest';
import { expect } from 'vitest';

test('a request is seen', async ({ world }) => {
  const headers = { authorization: `Bearer ${world.keys.primary}` };
  world.faults.add({ tool: 'schedule.read', status: 503 });
  const { status } = await world.fetch(`${world.baseUrl}/api/v1/tools/schedule.read`, { method: 'POST', headers });
  expect(status).toBe(503);
  expect(world).toHaveReceived('schedule.read', { times: 1, role: 'primary', args: {} });
  expect(world).not.toHaveReceived('library.get');
});

test.fails('a fault that no request met fails a test', ({ world }) => {
  const fault: Fault = { status: 500 };
  world.faults.add(fault);
});

test('a stub is audited and controlled', async () => {
  const stub = createStub({ control: true });
  const { path = '', header = '', token = '' } = stub.control ?? {};
  const body = JSON.stringify({ seconds: 1 });
  const { status } = await stub.fetch(stub.baseUrl + path, { method: 'POST', headers: { [header]: token }, body });
  expect(status).toBe(200);
  const target = defineTarget({ baseUrl: stub.baseUrl, keys: stub.keys, dispatcher: stub.dispatcher });
  const result: RunResult = await audit(target, { only: ['schedule.*'] });
  expect(result.verdict).toBe('conformant');
});
