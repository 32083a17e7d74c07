import { request } from 'undici';
import { expect, test } from 'vitest';
import { createStub } from '../index.ts';

test('faults of delivery are met over HTTP and in process alike', async () => {
  await using stub = createStub();
  const { baseUrl } = await stub.listen();
  const headers = { authorization: `Bearer ${stub.keys.primary}` };
  const ways = [
    (tool: string) =>
      fetch(`${baseUrl}/api/v1/tools/${tool}`, { method: 'POST', headers }).then((response) => response.text()),
    (tool: string) =>
      stub
        .fetch(`${stub.baseUrl}/api/v1/tools/${tool}`, { method: 'POST', headers })
        .then((response) => response.text()),
    (tool: string) =>
      request(`${stub.baseUrl}/api/v1/tools/${tool}`, { method: 'POST', headers, dispatcher: stub.dispatcher }).then(
        (response) => response.body.text(),
      ),
  ];
  for (const way of ways) {
    stub.faults.add(
      { drop: 'before' },
      { drop: 'after' },
      { cutAtBytes: 4 },
      { cutAtBytes: 1_000_000 },
      { latencyMs: 40 },
    );
    for (let fault = 0; fault < 4; fault++) await expect(way('credits.balance')).rejects.toThrow();
    const began = performance.now();
    expect(JSON.parse(await way('credits.balance'))).toMatchObject({ ok: true });
    expect(performance.now() - began).toBeGreaterThan(30);
    expect(stub.faults.unmet()).toEqual([]);
  }
});

test('a body that trickles comes whole, in pieces, over HTTP and in process alike', async () => {
  await using stub = createStub();
  const { baseUrl } = await stub.listen();
  const headers = { authorization: `Bearer ${stub.keys.primary}` };
  const path = '/api/v1/tools/schedule.read';
  const init = { method: 'POST', headers } as const;
  const dispatched = () => request(stub.baseUrl + path, { ...init, dispatcher: stub.dispatcher });
  const ways = [
    async () => (await fetch(baseUrl + path, init)).body ?? [],
    async () => (await stub.fetch(stub.baseUrl + path, init)).body ?? [],
    async () => (await dispatched()).body,
  ];
  for (const way of ways) {
    stub.faults.add({ trickleMs: 50 });
    const pieces: Uint8Array[] = [];
    for await (const piece of await way()) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(1);
    expect(JSON.parse(Buffer.concat(pieces).toString())).toMatchObject({ ok: true });
  }
  stub.faults.add({ trickleMs: 60_000 });
  // Canceling the body must stop the timer.
  await (await stub.fetch(stub.baseUrl + path, init)).body?.cancel();
});
