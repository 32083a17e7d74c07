import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { targetConfig } from '../fixtures/target-config.ts';
import { createStub, type Stub } from '../stub/index.ts';
import { kit } from '../suites/kit.ts';
import { httpServer } from '../test/network.ts';
import { Sink } from '../test/reports/sink.ts';
import { parse } from './command-line/parse.ts';
import { init } from './init.ts';
import { pipelinePaths, systems } from './pipelines.ts';
import type { Surroundings } from './process/surroundings.ts';
import { run } from './run.ts';

let folder: string;
let stub: Stub;
let url: string;

beforeAll(async () => {
  stub = createStub({ seed: 3, rateLimit: 5000 });
  ({ baseUrl: url } = await stub.listen({ port: 0 }));
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-first-'));
  return () => rm(folder, { recursive: true });
});

afterAll(() => stub.close());

async function initIn(args: readonly string[], around: Partial<Surroundings>) {
  const stdout = new Sink();
  const own = {
    cwd: folder,
    env: {},
    stdout,
    stderr: new Sink(),
    hide: () => {},
    signal: new AbortController().signal,
  };
  const code = await init.run(args, { ...own, ...around });
  const text = await readFile(join(folder, 'tck.config.json'), 'utf8');
  return { code, stdout: stdout.text, text, config: targetConfig.parse(JSON.parse(text)) };
}

test.each([
  ['a hidden answer', (key: string) => ({ ask: async (_: string, hidden?: 'hidden') => (hidden ? key : '') })],
  ['its usual variable', (key: string) => ({ env: { TCK_KEY_PRIMARY: key } })],
])('a key from %s is used and not stored', async (_, around) => {
  const key = stub.keys.primary;
  const { code, config, text, stdout } = await initIn([url], around(key));
  expect(code).toBe(0);
  expect(config.keys?.primary).toEqual({ env: 'TCK_KEY_PRIMARY' });
  expect(text + stdout).not.toContain(key);
  expect(stdout).toMatch(/A run tests \d+ of \d+ requirements\. It sends about \d+ requests, creates at most 0/);
});

test('without a key and a terminal, the error names the ways to pass one', async () => {
  await expect(initIn([url], {})).rejects.toThrow(
    '--key-env: expected variables that hold keys, because TCK_KEY_PRIMARY',
  );
});

test('a person can run at once', async () => {
  const ask = async (question: string) => (question.startsWith('Run now?') ? 'y' : '');
  const { code, stdout } = await initIn([url], { env: { TCK_KEY_PRIMARY: stub.keys.primary }, ask });
  expect(code).toBe(0);
  expect(stdout).toContain('Report: tck-report/report.html');
  expect(JSON.parse(await readFile(join(folder, 'tck-report/report.json'), 'utf8'))).toMatchObject({
    verdict: 'partial',
  });
});

test('a board and a shape that reading requests show are written', async () => {
  const place = { workspace: 'north', working_in: { label: 'North', note: 'sole', workspace: 'north' } };
  const result = {
    ok: true,
    ...place,
    balance: 5,
    rows: [{ board: { id: 'b-77' }, aspect_ratio: '4:5' }, { board: { id: 'b-78' } }],
  };
  await using server = await httpServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result));
  });
  const env = { TCK_KEY_PRIMARY: stub.keys.primary };
  const { config } = await initIn([`http://127.0.0.1:${server.port}`], { env });
  expect(config).toMatchObject({ workspaces: [{ slug: 'north', board: 'b-77', otherBoard: 'b-78' }], shape: '4:5' });
});

test('if no board is found, the summary says where to look', async () => {
  const { stdout } = await initIn([url], { env: { TCK_KEY_PRIMARY: stub.keys.primary } });
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'The read-only requests returned no board. Get the ID from the service',
  );
});

test.each(systems)('--ci %s writes a pipeline that runs the configuration', async (system) => {
  const env = { TCK_KEY_PRIMARY: stub.keys.primary };
  const path = pipelinePaths[system];
  const { stdout } = await initIn([url, '--ci', system], { env });
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`Written to ${path}. Next:`);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('note: A pipeline usually cannot reach http://127.0.0.1');
  const text = await readFile(join(folder, path), 'utf8');
  expect(text).not.toContain(env.TCK_KEY_PRIMARY);
  expect(text).toContain(`npm install --global --ignore-scripts ${kit.name}@${kit.version}`);
  const [, line = ''] = /tck run (.*?)'?$/m.exec(text) ?? [];
  expect(parse(run.form, line.split(' ')).read()).toMatchObject({ config: 'tck.config.json' });
  if (system !== 'jenkins')
    expect(parseYaml(text)).toMatchObject(system === 'github' ? { jobs: {} } : { conformance: {} });
  if (system !== 'gitlab') expect(text).toContain('TCK_KEY_PRIMARY');
  expect(text).toMatch(/node-version: '22\.22'|node:22\.22\.0/);
  expect(text).toMatch(/^concurrency:|resource_group: |disableConcurrentBuilds/m);
  expect(text).not.toMatch(/^.{121,}|npx tck/m);
  await expect(initIn([url, '--ci', system, '--out', 'other.json'], { env })).rejects.toThrow(`--ci: '${path}' exists`);
});

test('--ci adds a pipeline to a configuration that exists, for the same deployment', async () => {
  const keys = { primary: { env: 'OUR_KEY' }, sole: { command: ['print-key'] } };
  const config = { baseUrl: `${url}/`, keys, allow: ['proposals', 'spending'], maxImages: 7 };
  await writeFile(join(folder, 'tck.config.json'), JSON.stringify(config));
  const { code, stdout, config: kept } = await initIn([url, '--ci', 'github'], {});
  expect(code).toBe(0);
  expect(kept).toEqual(config);
  expect(stdout).toMatch(/^tck.config.json is kept\.\nWritten to .*OUR_KEY/s);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('Each push runs this pipeline and confirms up to 7 images');
  await expect(initIn(['http://127.0.0.1:9', '--ci', 'gitlab'], {})).rejects.toThrow(
    /^url: expected .* rename it first/,
  );
});
