/**
 * Answers requests of its own process: `node bench/in-process.ts FOLDER msw|stub`. Prints a line at the first response,
 * then the requests per second and the resident megabytes.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './child.ts';

const [folder = '', tool] = process.argv.slice(2);
const url = 'http://stub.invalid/api/v1/tools/credits.balance';
const seconds = 2;
const concurrent = 32;

/** Loads MSW from the folder that it was installed in. The kit has no types of it. */
async function startMsw(): Promise<[send: typeof fetch, key: string]> {
  const { resolve } = createRequire(join(folder, 'package.json'));
  const load = (name: string) => import(pathToFileURL(resolve(name)).href);
  const [{ http, HttpResponse }, { setupServer }] = await Promise.all([load('msw'), load('msw/node')]);
  setupServer(http.post(url, () => HttpResponse.json({ ok: true, balance: 100 }))).listen();
  return [fetch, 'any'];
}

async function startStub(): Promise<[send: typeof fetch, key: string]> {
  const { createStub } = await import(pathToFileURL(join(root, 'dist/stub/index.js')).href);
  const stub = createStub({ rateLimit: 1_000_000 });
  return [stub.fetch, stub.keys.primary];
}

const [send, key] = await (tool === 'msw' ? startMsw() : startStub());
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
const call = async (): Promise<void> => {
  const response = await send(url, { method: 'POST', headers, body: '{}' });
  if (response.status !== 200) throw new Error(`${tool}: ${response.status}`);
  await response.text();
};

/** Returns the number of requests in so many seconds. */
async function load(seconds: number): Promise<number> {
  let calls = 0;
  const endsAt = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: concurrent }, async () => {
      for (; performance.now() < endsAt; calls++) await call();
    }),
  );
  return calls;
}

await call();
console.log('ready');
await load(5); // warm-up
const rate = (await load(seconds)) / seconds;
console.log(JSON.stringify({ rate, residentMb: Math.round(process.memoryUsage.rss() / 2 ** 20) }));
