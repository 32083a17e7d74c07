import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStub } from '../stub/index.ts';
import { startTck, tck } from '../test/tck.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-canary-'));
});

afterAll(() => rm(folder, { recursive: true }));

const timeout = 60_000;
const rateLimit = 100_000;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // The address of a server on a TCP port is always an AddressInfo.
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

test('prints changes only, writes metrics, and exits with the code of the last run', { timeout }, async () => {
  const conforming = createStub({ rateLimit });
  const { baseUrl, port } = await conforming.listen({ port: 0 });
  const metricsPort = await freePort();
  const files = { metrics: join(folder, 'tck.prom'), out: join(folder, 'report') };
  const running = startTck(
    [
      ...['watch', baseUrl, '--only', 'schedule', '--every', '1s', '--budget', '100000000', '--label', 'build 7'],
      ...['--metrics', files.metrics, '--metrics-port', String(metricsPort), '--out', files.out],
    ],
    { env: { TCK_KEY_PRIMARY: conforming.keys.primary } },
  );
  await running.printed('No violations found');
  const scraped = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  await expect.poll(scraped).toContain(`tck_run_gate{target="${baseUrl}",gate="passed"} 1`);
  expect(await scraped()).toContain('tck_watch_interval_seconds{');
  expect(await scraped()).toContain('label="build 7"');
  const { status, headers } = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  expect([status, headers.get('content-type')]).toEqual([
    200,
    'application/openmetrics-text; version=1.0.0; charset=utf-8',
  ]);
  expect((await fetch(`http://127.0.0.1:${metricsPort}/`)).status).toBe(404);
  // Several runs without a change print nothing.
  const startOf = (text: string) => /tck_run_start_time_seconds\{.*\} (.*)/.exec(text)?.[1];
  const first = startOf(await scraped());
  await expect.poll(async () => startOf(await scraped()), { timeout: 10_000 }).not.toBe(first);
  await conforming.close();
  await running.printed('Inconclusive');
  const broken = createStub({ rateLimit, defects: ['days-empty'] });
  await broken.listen({ port });
  await running.printed('✗ schedule.days: failed, was passed: expected');
  await expect.poll(() => readFile(files.metrics, 'utf8')).toContain('gate="failed"} 1');
  const report = () => readFile(join(files.out, 'report.json'), 'utf8');
  await expect.poll(report).toContain('"verdict": "non-conformant"');
  await broken.close();
  await running.printed('Inconclusive', 2);
  await using mended = createStub({ rateLimit });
  await mended.listen({ port });
  await running.printed('✓ schedule.days: passed, was failed');
  running.child.kill('SIGINT');
  const { code, stdout, stderr } = await running.ended;
  expect([code, stderr]).toEqual([0, '']);
  // Requirements that only a list of days can show.
  const dependent = ['schedule.days-consecutive', 'schedule.days-from-week-start', 'schedule.seven-days'];
  const lines = stdout.trimEnd().split('\n');
  expect(lines.map((line) => line.replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ /, '').split(/[:,;]/)[0])).toEqual([
    'Reading every 1 s',
    'No violations found',
    'Inconclusive',
    'Non-conformant',
    '✗ schedule.days',
    ...dependent.map((id) => `· ${id}`),
    'Inconclusive',
    'No violations found',
    '✓ schedule.days',
    ...dependent.map((id) => `✓ ${id}`),
  ]);
  expect(stdout).not.toContain(conforming.keys.primary);
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('it only reads, whatever the configuration allows, and exits with 1 after a failure', { timeout }, async () => {
  await using stub = createStub({ rateLimit, defects: ['days-empty'] });
  const { baseUrl } = await stub.listen({ port: 0 });
  const config = join(folder, 'tck.config.json');
  const primary = { file: 'primary.key' };
  await writeFile(join(folder, 'primary.key'), stub.keys.primary);
  const board = { slug: stub.workspaces[0]?.slug, board: stub.workspaces[0]?.board };
  await writeFile(
    config,
    JSON.stringify({ baseUrl, keys: { primary }, workspaces: [board], allow: ['writes', 'proposals', 'spending'] }),
  );
  const running = startTck(['watch', '--config', config, '--every', '1h']);
  await running.printed('Non-conformant');
  running.child.kill('SIGINT');
  const { code, stdout } = await running.ended;
  expect(code).toBe(1);
  // The run sends as many requests as the first line says, or more for a failure.
  const planned = Number(/(\d+) requests in each run/.exec(stdout)?.[1]);
  const { events } = stub.journal();
  const requests = events.flatMap((event) => (event.kind === 'exchange' ? [event] : []));
  expect(requests.length).toBeGreaterThanOrEqual(planned);
  const changing = ['content.create_request', 'images.generate'];
  const accepted = requests.filter(({ tool, role }) => role !== null && changing.includes(tool ?? ''));
  expect(accepted).toEqual([]);
});

test('a run that exceeds the rest of the budget ends early', { timeout }, async () => {
  await using stub = createStub({ rateLimit, deviation: (behavior) => ({ ...behavior, batchLimit: 0 }) });
  const { baseUrl } = await stub.listen({ port: 0 });
  const plan = await tck(['watch', baseUrl, '--budget', '10'], { env: { TCK_KEY_PRIMARY: stub.keys.primary } });
  const [, planned] = /expected at least (\d+), the requests of one run, got 10/.exec(plan.stderr) ?? [];
  expect([plan.code, planned]).toEqual([2, expect.any(String)]);
  const args = ['watch', baseUrl, '--every', '1s', '--budget', planned ?? ''];
  const running = startTck(args, { env: { TCK_KEY_PRIMARY: stub.keys.primary } });
  expect(await running.printed('tested')).toContain(`because of a budget of ${planned} requests a day`);
  running.child.kill('SIGINT');
  await running.ended;
  const { events } = stub.journal();
  // Requests in flight when the budget ends still arrive.
  expect(events.filter(({ kind }) => kind === 'exchange').length).toBeLessThanOrEqual(Number(planned) + 16);
});

test('a port in use is named before the first request', async () => {
  await using stub = createStub();
  const { baseUrl, port } = await stub.listen({ port: 0 });
  const env = { TCK_KEY_PRIMARY: stub.keys.primary };
  const { code, stderr } = await tck(['watch', baseUrl, '--metrics-port', String(port)], { env });
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^tck: --metrics-port: cannot listen on port \d+: .*EADDRINUSE/),
  ]);
  expect(stub.journal().events).toEqual([]);
});

test.each([
  [['--every', 'often'], "--every: expected a duration such as 30s, 10m or 2h, at most 7d, got 'often'"],
  [['--every', '8d'], "--every: expected a duration such as 30s, 10m or 2h, at most 7d, got '8d'"],
  [['--every', '0s'], "--every: expected a duration such as 30s, 10m or 2h, at most 7d, got '0s'"],
  [['--budget', '0'], '--budget: expected an integer from 1'],
  [[], 'no target: pass a URL'],
])('%j is refused', async (args, message) => {
  const { code, stdout, stderr } = await tck(['watch', ...args]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
});
