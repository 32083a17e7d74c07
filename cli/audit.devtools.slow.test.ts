import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createStub, type Stub } from '../stub/index.ts';
import type { RunResult } from '../suites/result.ts';
import { chromiumPath, startBrowser } from '../test/reports/browser.ts';
import { tck } from '../test/tck.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // always an AddressInfo for a TCP server
  server.close();
  await once(server, 'close');
  return port;
}

const part = (name: string) => `(await import('devtools://devtools/bundled/models/${name}/${name}.js'))`;
const requests = `${part('logs')}.NetworkLog.NetworkLog.instance().requests()`;

// Source texts that run in the developer tools. Functions would not work, because test runners change imports.
const countRequests = `(async () => ${requests}.length)()`;
/** The code of the command "Save all as HAR". */
const save = (sanitize: boolean) => `(async () => {
  let text = '';
  const to = { write: async (more) => { text += more; } };
  const nothing = { canceled: false, isCanceled: () => false };
  await ${part('har')}.Writer.Writer.write(to, ${requests}, { sanitize: ${sanitize} }, nothing);
  return text;
})()`;

/** HAR that Chromium's developer tools save for a page that calls the stub. */
async function savedByDevtools(stub: Stub, sanitize: boolean): Promise<string> {
  const { baseUrl } = await stub.listen();
  const port = await freePort();
  const browser = await startBrowser([`--remote-debugging-port=${port}`, '--remote-allow-origins=*']);
  try {
    const page = await browser.newPage();
    const pages: { type: string; webSocketDebuggerUrl: string }[] = await (
      await fetch(`http://127.0.0.1:${port}/json`)
    ).json();
    const address = pages.find(({ type }) => type === 'page')?.webSocketDebuggerUrl ?? '';
    const tools = await browser.newPage();
    await tools.goto(`devtools://devtools/bundled/inspector.html?ws=${address.replace('ws://', '')}`);
    // Reloads until the developer tools are connected and record requests.
    do await page.goto(`${baseUrl}/`);
    while ((await tools.evaluate<number>(countRequests)) === 0);
    await page.evaluate(async (key) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      for (const tool of ['credits.balance', 'schedule.read', 'connections.status']) {
        const response = await fetch(`/api/v1/tools/${tool}`, { method: 'POST', headers, body: '{}' });
        await response.text();
      }
    }, stub.keys.sole);
    return await tools.evaluate<string>(save(sanitize));
  } finally {
    await browser.close();
  }
}

test.skipIf(chromiumPath === undefined).each([
  ['all headers', false, []],
  ['its default, without sensitive headers', true, ['--assume', 'one-key']],
] as const)('a HAR of the developer tools with %s is judged (needs Chromium)', async (_, sanitize, more) => {
  const folder = await mkdtemp(join(tmpdir(), 'tck-devtools-'));
  await using stub = createStub({ defects: ['days-empty'] });
  const har = await savedByDevtools(stub, sanitize);
  expect(har.includes(stub.keys.sole)).toBe(!sanitize);
  await writeFile(join(folder, 'saved.har'), har);
  const { code, stdout } = await tck(['audit', 'saved.har', ...more], { cwd: folder });
  const report: RunResult = JSON.parse(await readFile(join(folder, 'tck-report/report.json'), 'utf8'));
  const statuses = new Map(report.requirements.map(({ id, status }) => [id, status]));
  expect([code, report.summary.requests, report.summary.failed], stdout).toEqual([1, 3, 1]);
  expect(statuses.get('schedule.days')).toBe('failed');
  for (const id of ['credits.balance', 'connections.answers']) expect([id, statuses.get(id)]).toEqual([id, 'passed']);
  await rm(folder, { recursive: true });
});
