import type { Stub } from '../stub/index.ts';
import { grouped, spread, type Table } from './table.ts';

const rounds = 5;
const callsEach = 40_000;
const together = 32;

/** Requests per second within one process, for each interface of the stub. Requires a build. */
export async function callFigures(): Promise<Table[]> {
  const { createStub } = (await import('../dist/stub/index.js' as string)) as typeof import('../stub/index.ts');
  const { request } = await import('undici');
  const stub: Stub = createStub({ rateLimit: 1_000_000_000 });
  const url = `${stub.baseUrl}/api/v1/tools/credits.balance`;
  const headers = { authorization: `Bearer ${stub.keys.primary}`, 'content-type': 'application/json' };
  const body = '{}';
  const bytes = Buffer.from(body);
  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    'stub.handle': async () =>
      stub.handle({ method: 'POST', path: '/api/v1/tools/credits.balance', headers, body: bytes }),
    'stub.fetch, body read as JSON': async () => (await stub.fetch(url, { method: 'POST', headers, body })).json(),
    'undici.request with stub.dispatcher, body read as JSON': async () =>
      (await request(url, { method: 'POST', headers, body, dispatcher: stub.dispatcher })).body.json(),
  };
  const rows: string[][] = [];
  for (const [name, way] of Object.entries(ways)) {
    await callsPerSecond(way); // warm-up
    const rates: number[] = [];
    for (let round = 0; round < rounds; round++) rates.push(await callsPerSecond(way));
    rows.push([name, spread(rates)]);
  }
  return [
    {
      title: 'Requests within one process',
      about:
        `The requests call \`credits.balance\`, with the journal on. Each of the ${rounds} rounds has ` +
        `${grouped(callsEach)} requests, ${together} at a time. Target: at least 40,000 requests per second with ` +
        '`stub.fetch`.',
      header: ['Interface', 'Requests per second'],
      rows,
    },
  ];
}

async function callsPerSecond(way: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  const lane = async (): Promise<void> => {
    for (let call = 0; call < callsEach / together; call++) await way();
  };
  await Promise.all(Array.from({ length: together }, lane));
  return (callsEach * 1000) / (performance.now() - startedAt);
}
