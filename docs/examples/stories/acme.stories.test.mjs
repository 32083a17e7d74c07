// Run it with: node --test acme.stories.test.mjs
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import test from 'node:test';
import { audit, defineTarget } from 'content-workspace-tck';
import { createStub } from 'content-workspace-tck/stub';
import { privacy, speed, tracing } from './acme.stories.mjs';

/** The statuses of all requirements of ACME, on a stub behind a gateway. */
async function statuses({ requestId = true, defects = [], faults = [], only = ['acme'] } = {}) {
  const stub = createStub({ defects });
  for (const fault of faults) stub.faults.add(fault);
  const gateway = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { authorization = '' } = request.headers;
    const headers = { authorization, 'content-type': 'application/json' };
    const body = Buffer.concat(chunks);
    const served = await stub.fetch(`${stub.baseUrl}${request.url}`, { method: 'POST', headers, body });
    const id = requestId ? { 'x-request-id': 'r-1' } : {};
    response.writeHead(served.status, { ...Object.fromEntries(served.headers), ...id }).end(await served.text());
  });
  await new Promise((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  try {
    const { primary, otherAccount } = stub.keys;
    const target = defineTarget({
      baseUrl: `http://127.0.0.1:${gateway.address().port}`,
      keys: { primary, otherAccount },
      workspaces: stub.workspaces,
    });
    const { requirements } = await audit(target, { stories: [tracing, speed, privacy], only });
    const own = requirements.filter(({ topic }) => topic === 'acme');
    return Object.fromEntries(own.map(({ id, status }) => [id, status]));
  } finally {
    gateway.close();
    await stub.close();
  }
}

// Rules judge the requests of all stories, so a whole run shows whether a rule applies to too many.
test('a conforming server passes a whole run', async () => {
  const found = await statuses({ only: ['*'] });
  assert.equal(found['acme.request-id'], 'passed');
  assert.equal(found['acme.workspace-private'], 'passed');
});

test('a gateway without request IDs fails', async () => {
  const found = await statuses({ requestId: false });
  assert.equal(found['acme.request-id'], 'failed');
});

test('a workspace that another account can read fails', async () => {
  const found = await statuses({ defects: ['foreign-workspace-readable'] });
  assert.equal(found['acme.workspace-private'], 'failed');
});

test('a slow schedule gets a warning', async () => {
  const found = await statuses({ faults: [{ tool: 'schedule.read', latencyMs: 600, times: 20 }] });
  assert.equal(found['acme.schedule-fast'], 'warned');
});
