import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requirements } from '../fixtures/requirements/index.ts';
import { createStub, type Stub } from '../stub/index.ts';
import type { RunResult } from '../suites/result.ts';
import { tck } from '../suites/testing/tck.ts';

let folder: string;
let stub: Stub;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-output-'));
  stub = createStub();
});

afterAll(async () => {
  await stub.close();
  await rm(folder, { recursive: true });
});

const run = async (url: string, ...args: string[]) =>
  tck(['run', url, '--only', 'schedule', '--out', folder, ...args], { env: { TCK_KEY_PRIMARY: stub.keys.primary } });

test('--quiet prints the verdict alone, --verbose each request and what came of it', async () => {
  const { baseUrl } = await stub.listen({ port: 0 });
  const quiet = await run(baseUrl, '--quiet');
  expect([quiet.code, quiet.stdout, quiet.stderr]).toEqual([
    0,
    `No violations found, 9 of ${requirements.length} tested\n`,
    '',
  ]);
  const verbose = await run(baseUrl, '--verbose');
  expect(verbose.stdout).toMatch(/^POST schedule\.read as primary: 200, \d+ ms$/m);
  const report: RunResult = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
  expect(verbose.stdout.match(/^POST .* ms$/gm)).toHaveLength(report.summary.requests);
  const both = await run(baseUrl, '--quiet', '--verbose');
  expect([both.code, both.stderr]).toEqual([2, 'tck: --quiet: expected without --verbose\n']);
});

test('every request says which run sends it', async () => {
  const agents = new Set<string | undefined>();
  const server = createServer((request, response) => {
    agents.add(request.headers['user-agent']);
    response.writeHead(500).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  await run(`http://127.0.0.1:${port}`);
  server.close();
  const { runId, kit }: RunResult = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
  expect([...agents]).toEqual([`content-workspace-tck/${kit.version} run/${runId}`]);
});
