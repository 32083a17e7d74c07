import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { reportOf } from '../../../reports/report.ts';
import { createStub } from '../../../stub/index.ts';
import { httpServer } from '../../../test/network.ts';
import { overHttp } from '../../../test/stub-target.ts';
import { causesOf } from '../../causes/causes.ts';
import { audit } from '../../engine/audit.ts';

/** Runs the kit against a server that reads the key of a request with `callerOf` after it has read the body. */
async function runWith(callerOf: (own: string | undefined, latest: string | undefined) => string | undefined) {
  const stub = createStub({ seed: 1 });
  let latest: string | undefined;
  await using server = await httpServer(async (request, response) => {
    const { authorization: own, ...headers } = request.headers;
    latest = own;
    const body = await text(request);
    const caller = callerOf(own, latest);
    const sent = { ...headers, ...(caller === undefined ? {} : { authorization: caller }) };
    const answer = await stub.fetch(`${inner}${request.url}`, { method: 'POST', headers: sent as HeadersInit, body });
    response.writeHead(answer.status, [...answer.headers].flat()).end(await answer.text());
  });
  const inner = 'http://stub.invalid';
  const target = overHttp(stub, `http://127.0.0.1:${server.port}`, { allow: [] });
  return await audit(target, { seed: 1, only: ['authentication', 'workspaces'] });
}

test('a server that keeps the caller in a global has one cause, with both exchanges', async () => {
  const result = await runWith((_, latest) => latest);
  const [first, ...others] = causesOf(result);
  expect([first?.title, first?.severity, others]).toEqual([
    'Responses of different keys are mixed up',
    'data-isolation',
    [],
  ]);
  expect(reportOf(result).causes[0]?.isUnverified).toBe(false);
  const shown = result.exchanges.filter(({ id }) => first?.exchanges.includes(id));
  expect(new Set(shown.map(({ credential }) => credential)).size).toBeGreaterThan(1);
});

test('a server that keeps the caller with its request passes', async () => {
  const result = await runWith((own) => own);
  const id = 'authentication.own-key-decides';
  expect(causesOf(result)).toEqual([]);
  expect(result.requirements.find((requirement) => requirement.id === id)?.status).toBe('passed');
});
