import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createStub, type Stub } from '../stub/index.ts';
import { httpServer } from '../test/network.ts';
import { idsWith, reportIn } from '../test/output.ts';
import { chromiumPath, startBrowser } from '../test/reports/browser.ts';
import { tck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const parent = temporaryFolder();

async function freePort(): Promise<number> {
  await using server = await httpServer(() => undefined);
  return server.port;
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
    const listed = await fetch(`http://127.0.0.1:${port}/json`);
    const pages: { type: string; webSocketDebuggerUrl: string }[] = await listed.json();
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
  const folder = await mkdtemp(join(parent, 'audit-'));
  await using stub = createStub({ defects: ['days-empty'] });
  const har = await savedByDevtools(stub, sanitize);
  expect(har.includes(stub.keys.sole)).toBe(!sanitize);
  await writeFile(join(folder, 'saved.har'), har);
  const { code, stdout } = await tck(['audit', 'saved.har', ...more], { cwd: folder });
  const report = await reportIn(join(folder, 'tck-report'));
  expect([code, report.summary.requests, idsWith(report, 'failed')], stdout).toEqual([1, 3, ['schedule.days']]);
  const seen = ['credits.balance', 'connections.answers'];
  expect(idsWith(report, 'passed')).toEqual(expect.arrayContaining(seen));
});
