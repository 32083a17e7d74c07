import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createStub, type Stub } from '../stub/index.ts';
import type { RunResult } from '../suites/result.ts';
import { tck } from '../test/tck.ts';
import { isTriedWhole } from '../test/whole.ts';

const firefox = '/usr/bin/firefox-esr';

/** Preferences: the developer tools save a HAR for each page, and Firefox contacts no other hosts. */
const settings = (folder: string) => ({
  'devtools.netmonitor.har.enableAutoExportToFile': true,
  'devtools.netmonitor.har.defaultLogDir': folder,
  'devtools.netmonitor.har.forceExport': true,
  'devtools.netmonitor.har.pageLoadedTimeout': 2500,
  'devtools.toolbox.selectedTool': 'netmonitor',
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 1,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 1,
});

/** A page that calls the stub and reloads, because the developer tools open only after the first load. */
const pageFor = (key: string) => `<script>
onload = async () => {
  const headers = { authorization: 'Bearer ${key}', 'content-type': 'application/json' };
  for (const tool of ['credits.balance', 'schedule.read', 'connections.status'])
    await (await fetch('/api/v1/tools/' + tool, { method: 'POST', headers, body: '{}' })).text();
  setTimeout(() => location.reload(), 8000);
};
</script>`;

const serving =
  (stub: Stub): RequestListener =>
  ({ url: path = '', method = '', headers }, response) => {
    if (!path.startsWith('/api/')) return response.setHeader('content-type', 'text/html').end(pageFor(stub.keys.sole));
    const answer = stub.handle({ method, path, headers: headers as Record<string, string>, body: Buffer.from('{}') });
    return response.writeHead(answer.status, answer.headers).end(answer.body);
  };

/** Path of the first HAR that Firefox saves with open developer tools. */
async function savedByFirefox(folder: string, url: string): Promise<string> {
  const [profile, saved] = [join(folder, 'profile'), join(folder, 'saved')];
  await Promise.all([mkdir(profile), mkdir(saved)]);
  const lines = Object.entries(settings(saved)).map((pair) => `user_pref(${JSON.stringify(pair).slice(1, -1)});`);
  await writeFile(join(profile, 'user.js'), lines.join('\n'));
  const args = ['--headless', '--no-remote', '--profile', profile, '--devtools', url];
  const browser = spawn(firefox, args, { stdio: 'ignore', env: { ...process.env, HOME: folder } });
  try {
    let files: string[] = [];
    while (files.length === 0) {
      await wait(500);
      files = await readdir(saved);
    }
    await wait(1000); // Firefox creates the file first and writes its contents shortly after
    return join(saved, files[0] ?? '');
  } finally {
    browser.kill();
  }
}

// Takes half a minute.
test.skipIf(!isTriedWhole() || !existsSync(firefox))('a HAR of Firefox is judged', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tck-firefox-'));
  const server = createServer(serving(createStub({ defects: ['days-empty'] }))).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as AddressInfo; // always an AddressInfo for a TCP server
  const file = await savedByFirefox(folder, `http://127.0.0.1:${port}/`).finally(() => server.close());
  const { code, stdout } = await tck(['audit', file], { cwd: folder });
  const report: RunResult = JSON.parse(await readFile(join(folder, 'tck-report/report.json'), 'utf8'));
  expect([code, report.summary.requests], stdout).toEqual([1, 3]);
  const failed = report.requirements.filter(({ status }) => status === 'failed').map(({ id }) => id);
  const passed = report.requirements.filter(({ status }) => status === 'passed').map(({ id }) => id);
  expect(failed).toEqual(['schedule.days']);
  expect(passed).toEqual(expect.arrayContaining(['credits.balance', 'connections.answers']));
  await rm(folder, { recursive: true });
});
