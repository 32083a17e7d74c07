import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { listenHostile } from '../../test/attacks/server.ts';
import { responseText } from '../../test/attacks/wire.ts';
import { overHttp } from '../../test/stub-target.ts';
import type { RunResult } from '../result.ts';
import { audit } from './audit.ts';

const large = JSON.stringify({ ok: true, items: Array.from({ length: 30_000 }, () => ({})) });

/** Runs the kit against a stub that adds headers and oversized bodies to responses with this status. */
async function runWith(status: number, headers: Readonly<Record<string, string>> = {}): Promise<RunResult> {
  const stub = createStub();
  await using server = await listenHostile(
    stub,
    (socket, good) => {
      const grown = { ...good, headers: { ...good.headers, ...headers }, body: large };
      socket.write(responseText(good.status === status ? grown : good));
    },
    () => true,
  );
  const only = ['headers', 'envelopes', 'authentication', 'library'];
  return await audit(overHttp(stub, server.baseUrl), { seed: 1, only });
}

function statusOf({ requirements }: RunResult, id: string): string | undefined {
  return requirements.find((requirement) => requirement.id === id)?.status;
}

test('of responses that are too large, status and headers are judged; the rest is not tested', async () => {
  const result = await runWith(200);
  expect(statusOf(result, 'headers.beta-on-200')).toBe('passed');
  expect(statusOf(result, 'headers.beta-on-401')).toBe('passed');
  const items = result.requirements.find(({ id }) => id === 'library.search-answers');
  expect(items?.status).toBe('not-tested');
  expect(items?.reason).toMatch(/^the response is larger than the kit keeps: a body of more than \d+ values$/);
  const [shown] = items?.exchanges ?? [];
  expect(result.exchanges.find(({ id }) => id === shown)?.response).toMatchObject({ status: 200, cutAtBytes: 1024 });
  expect(result.verdict).toBe('inconclusive');
  expect(result.reasons[0]).toMatch(/^\d+ requirements not tested, since a response was too large: /);
  expect(result.summary).toMatchObject({ failed: 0, errored: 0 });
});

test.each([
  [200, { 'x-service-api': 'ga' }, 'headers.beta-on-200'],
  [200, { 'content-type': 'text/html' }, 'envelopes.json-200'],
  [401, { 'x-service-api': 'ga' }, 'headers.beta-on-401'],
  [401, { 'content-type': 'text/html' }, 'envelopes.json-4xx'],
])('of a response %i that is too large, headers %o are blamed on %s', async (status, headers, id) => {
  const result = await runWith(status, headers);
  expect(statusOf(result, id)).toBe('failed');
  expect(result.verdict).toBe('non-conformant');
});
