import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createStub } from '../stub/index.ts';
import { chromiumPath, startBrowser } from '../test/reports/browser.ts';
import { startTck } from '../test/tck.ts';

test.skipIf(chromiumPath === undefined)('--ui shows requests and findings as they occur, and no key', async () => {
  const out = await mkdtemp(join(tmpdir(), 'tck-proxy-ui-'));
  await using stub = createStub({ defects: ['days-empty'] });
  const { baseUrl } = await stub.listen();
  const { child, ended, printed } = startTck(['proxy', baseUrl, '--port', '0', '--ui', '--out', out]);
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  const [address = ''] = /http:\S+/.exec(await printed('Ctrl-C')) ?? [];
  const call = async (tool: string) => {
    const headers = { authorization: `Bearer ${stub.keys.sole}` };
    return (await fetch(`${address}/api/v1/tools/${tool}`, { method: 'POST', headers })).text();
  };
  await call('credits.balance');
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1100, height: 700 } });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    const [live = ''] = /Live page: (\S+)/.exec(said)?.slice(1) ?? [];
    await page.goto(live);
    await page.getByText('credits.balance').waitFor();
    expect(await page.getByText('None so far.').isVisible()).toBe(true);
    await call('schedule.read');
    await page.locator('#findings').getByText('schedule.days').waitFor();
    await page.getByText('2 requests, 0 of at most 10000 wait to be judged').waitFor();
    expect(await page.content()).not.toContain(stub.keys.sole);
    if (process.env.TCK_PICTURE !== undefined) await page.screenshot({ path: process.env.TCK_PICTURE });
    expect((await fetch(new URL('/events', live))).status).toBe(404);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(1);
    await page.getByText('The proxy has stopped').waitFor();
    expect(complaints.filter((each) => !/ERR_|Failed to load/.test(each))).toEqual([]);
  } finally {
    await browser.close();
    await rm(out, { recursive: true });
  }
});
