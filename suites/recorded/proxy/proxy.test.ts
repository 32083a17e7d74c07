import { expect, test } from 'vitest';
import { createStub } from '../../../stub/index.ts';
import { judgingProxy } from '../../../test/attacks/proxied.ts';
import { standingClock } from '../../../test/stub/standing-clock.ts';

test('a client that confirms after the time for it is told so', async () => {
  await using stub = createStub({ clock: standingClock });
  const { baseUrl } = await stub.listen();
  const ways = { assumed: ['complete', 'clock'] as const, client: true, now: () => stub.now() };
  await using proxy = await judgingProxy(baseUrl, ways);
  const request = { workspace: 'north', board: stub.workspaces[0]?.board, brief: 'A cup', count: 1, shape: '1:1' };
  const send = async (body: object): Promise<{ confirmation_id: string }> => {
    const headers = { authorization: `Bearer ${stub.keys.primary}`, 'content-type': 'application/json' };
    const url = `http://${proxy.host}:${proxy.port}/api/v1/tools/images.generate`;
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  const { confirmation_id } = await send(request);
  stub.advance(1860);
  await send({ ...request, confirmation_id });
  const { requirements } = await proxy.end();
  const broken = requirements.filter(({ findings }) => findings.length > 0).map(({ id, status }) => `${status} ${id}`);
  expect(broken).toEqual(['warned client-confirmations.in-time']);
});
