import { expect, test } from 'vitest';
import { createStub, type Stub } from '../index.ts';

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
