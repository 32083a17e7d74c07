import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { httpServer, type Listener, passedTo } from '../../test/network.ts';
import { tckProcess } from '../../test/tck.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { RunResult } from '../result.ts';

const stub = createStub();
const validMs = 2500;
const folder = temporaryFolder();
let server: Listener;
let baseUrl: string;
/** When the server issued each token. */
const issued = new Map<string, number>();
let late = 0;
let echoes = false;
let issues = Number.POSITIVE_INFINITY;

beforeAll(async () => {
  const pass = passedTo(stub, (passed) => {
    const authorization = String(passed.headers.authorization ?? '');
    const token = authorization.replace(/^Bearer /, '');
    const issuedAt = issued.get(token);
    const isLate = issuedAt !== undefined && performance.now() - issuedAt > validMs;
    if (isLate) late += 1;
    const isValid = issuedAt !== undefined && !isLate;
    const headers = isValid ? { ...passed.headers, authorization: `Bearer ${stub.keys.primary}` } : passed.headers;
    return { ...passed, headers, added: echoes ? { 'x-token': token } : {} };
  });
  server = await httpServer((request, response) => {
    if (request.url !== '/token') return pass(request, response);
    const token = `token-${randomUUID()}`;
    if (issued.size < issues) issued.set(token, performance.now());
    response.writeHead(issued.has(token) ? 200 : 503).end(token);
  });
  baseUrl = `http://127.0.0.1:${server.port}`;
});

beforeEach(() => {
  issued.clear();
  [late, echoes, issues] = [0, false, Number.POSITIVE_INFINITY];
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** Runs the kit for some seconds, with a command that gets a token. */
async function run(key: Record<string, unknown> = {}) {
  const script = `fetch('${baseUrl}/token').then(async (r) => console.log(r.ok ? await r.text() : ''))`;
  const primary = { command: [process.execPath, '-e', script], lifetime: '1s', ...key };
  const config = { baseUrl, keys: { primary }, pace: { requestsPerMinute: 600 } };
  await writeFile(join(folder, 'tck.config.json'), JSON.stringify(config));
  const args = ['run', '--config', 'tck.config.json', '--only', 'credits,schedule,library', '--out', 'report'];
  return await tckProcess(args, { cwd: folder });
}

async function files(): Promise<[name: string, text: string][]> {
  const names = await readdir(join(folder, 'report'), { recursive: true, withFileTypes: true });
  const paths = names.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  return Promise.all(paths.map(async (path): Promise<[string, string]> => [path, await readFile(path, 'utf8')]));
}

async function report(): Promise<RunResult> {
  return JSON.parse(await readFile(join(folder, 'report', 'report.json'), 'utf8'));
}

test('the kit runs the command again when the lifetime of the key is over', async () => {
  const { code, stdout } = await run();
  expect(code, stdout).toBe(0);
  expect(issued.size).toBeGreaterThan(2);
  expect(late).toBe(0);
});

test('a renewed key is redacted like the first', async () => {
  echoes = true;
  const { stdout, stderr } = await run();
  expect(issued.size).toBeGreaterThan(2);
  for (const token of issued.keys()) {
    for (const [path, text] of [...(await files()), ['stdout', stdout], ['stderr', stderr]]) {
      expect(text?.includes(token.slice(6, 20)), `${path}: ${token}`).toBe(false);
    }
  }
  expect(JSON.stringify((await report()).exchanges)).toContain('<primary');
});

test('a renewal that fails makes the run inconclusive', async () => {
  issues = 2;
  const { code } = await run();
  expect(code).toBe(3);
  const reasons = (await report()).requirements.flatMap(({ reason = '' }) => reason);
  expect(reasons.join('\n')).toContain('the key was not renewed: keys.primary: expected a key, got an empty value');
});
