import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createStub } from '../../../stub/index.ts';
import { httpServer } from '../../../test/network.ts';
import { overHttp } from '../../../test/stub-target.ts';
import { audit } from '../../engine/audit.ts';

test('different proposals are confirmed at once, so that a server can lose an update of the balance', async () => {
  const stub = createStub({ seed: 1 });
  let [inFlight, most] = [0, 0];
  await using server = await httpServer(async (request, response) => {
    const body = await text(request);
    const counts = body.includes('confirmation_id') ? 1 : 0;
    inFlight += counts;
    most = Math.max(most, inFlight);
    await setTimeout(200 * counts);
    inFlight -= counts;
    const headers = request.headers as Record<string, string>;
    const answer = await stub.fetch(`http://stub.invalid${request.url}`, { method: 'POST', headers, body });
    response.writeHead(answer.status, [...answer.headers].flat()).end(await answer.text());
  });
  const only = ['confirmations.charges-add-up'];
  const { requirements } = await audit(overHttp(stub, `http://127.0.0.1:${server.port}`), { seed: 1, only });
  expect(requirements.find(({ id }) => id === only[0])?.status).toBe('passed');
  // Two proposals, of which two keys present the first.
  expect(most).toBe(3);
});
