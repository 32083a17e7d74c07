import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStub, type Stub } from '../stub/index.ts';
import { requirements } from '../suites/requirements.ts';
import type { RunResult } from '../suites/result.ts';
import { combineDefects } from '../test/mutations/defects/index.ts';
import { httpServer } from '../test/network.ts';
import { tck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const folder = temporaryFolder();
let stub: Stub;

beforeAll(async () => {
  stub = createStub();
});

afterAll(async () => {
  await stub.close();
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
  // The address of a server on a TCP port is always an AddressInfo.
  const { port } = server.address() as AddressInfo;
  await run(`http://127.0.0.1:${port}`);
  server.close();
  const { runId, kit }: RunResult = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
  expect([...agents]).toEqual([`content-workspace-tck/${kit.version} run/${runId}`]);
});

test('a file that cannot be written leaves no passed gate on the screen', async () => {
  const { baseUrl } = await stub.listen({ port: 0 });
  const out = join(folder, 'in-the-way');
  let requests = 0;
  // During the run, a file replaces the report folder.
  await using server = await httpServer(async (request, response) => {
    requests += 1;
    if (requests === 5) await rm(out, { recursive: true }).then(() => writeFile(out, ''));
    const { authorization = '' } = request.headers;
    const body = Buffer.concat(await request.toArray());
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(`${baseUrl}${request.url}`, { method: request.method ?? 'POST', headers, body });
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
  });
  await mkdir(out);
  const noFolder = join(folder, 'none', 'file');
  const env = { TCK_KEY_PRIMARY: stub.keys.primary };
  const cases = [
    { args: ['--out', out], url: `http://127.0.0.1:${server.port}` },
    { args: ['--har', noFolder, '--out', folder] },
    { args: ['--reporter', 'github', '--out', folder], env: { ...env, GITHUB_STEP_SUMMARY: noFolder } },
  ];
  for (const { args, url = baseUrl, env: given = env } of cases) {
    const all = ['run', url, '--only', 'credits', ...args];
    const { code, stdout, stderr } = await tck(all, { env: given });
    expect([args[0], code, stderr.includes('tck: ')]).toEqual([args[0], 2, true]);
    expect(stdout).toContain('Verdict: partial (');
    expect(stdout).toContain('Gate: not decided, since a file could not be written (exit code 2)');
    expect(stdout).not.toContain('passed\n');
  }
});

test('--reporter json prints one line for each cause, and nothing else', async () => {
  const stub = createStub({ seed: 1, deviation: combineDefects(['days-backwards']) });
  const { baseUrl } = await stub.listen();
  const folder = await mkdtemp(join(tmpdir(), 'tck-json-'));
  const args = ['run', baseUrl, '--only', 'schedule', '--reporter', 'json', '--out', 'out'];
  const { stdout, code } = await tck(args, { cwd: folder, env: { TCK_KEY_PRIMARY: stub.keys.primary } });
  await stub.close();
  expect(code).toBe(1);
  const [line, ...others] = stdout.trimEnd().split('\n');
  expect(others).toEqual([]);
  expect(JSON.parse(line ?? '')).toMatchObject({
    id: expect.stringMatching(/^schedule\./),
    title: expect.any(String),
    expected: expect.any(String),
    actual: expect.any(String),
    curl: [expect.stringMatching(/^curl -sS -i -X POST /)],
    exchanges: [expect.any(Number), expect.any(Number)],
    script: 'out/repro/1.sh',
    again: `tck run ${baseUrl} --last-failed --out out`,
  });
});
