import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Plan } from '../reports/plan.ts';
import { createStub, type Stub } from '../stub/index.ts';
import { requirements } from '../suites/requirements.ts';
import type { RunResult } from '../suites/result.ts';
import { configFolder } from '../test/config-folder.ts';
import { tck, tckProcess } from '../test/tck.ts';

/** A file of stories, as a team writes it. `acme.request-id` fails unless the gateway adds the header. */
const own = `
import { hasHeader, isPlainRequest, must, rule, should, story, succeeds } from 'content-workspace-tck/stories';

export const helper = 'is no story';

export const tracing = story('acme tracing', {
  requirements: [
    rule(must('acme.request-id', 'Every response MUST carry an ID.', 'ACME platform guide, 3.1', 'security'), {
      everyResponse: true,
      applies: () => true,
      expect: (exchange) => hasHeader(exchange, 'x-request-id', 'Set the header in the gateway.'),
    }),
  ],
});

export const reading = story('acme reading', {
  requirements: [
    rule(should('acme.readable', 'The schedule SHOULD be readable.', 'ACME platform guide, 3.2'), {
      applies: (exchange, seen) => isPlainRequest(exchange, 'schedule.read', seen),
      expect: (exchange) => succeeds(exchange, 'Serve the schedule.'),
    }),
  ],
  steps: async (t) => void (await t.send('read the schedule', { tool: 'schedule.read', args: t.here() })),
});
`;

let folder: Awaited<ReturnType<typeof configFolder>>;
let stub: Stub;
let baseUrl: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await configFolder({ 'acme.mjs': own });
  stub = createStub();
  ({ baseUrl } = await stub.listen({ port: 0 }));
  env = { TCK_KEY_PRIMARY: stub.keys.primary };
});
afterAll(async () => {
  await stub.close();
  await folder[Symbol.asyncDispose]();
});

const inFolder = (...args: string[]) => tck(args, { cwd: folder.path, env });
const stories = ['--stories', 'acme.mjs'];
const run = (...more: string[]) => inFolder('run', baseUrl, ...stories, '--no-observe', ...more);
const textOf = (...path: string[]) => readFile(join(folder.path, ...path), 'utf8');
const reportIn = async (out: string): Promise<RunResult> => JSON.parse(await textOf(out, 'report.json'));
const ownStatuses = ({ requirements }: RunResult) =>
  requirements.filter(({ topic }) => topic === 'acme').map(({ id, status }) => `${id} ${status}`);

/** A gateway before the stub that adds `x-request-id` to every response. */
async function gateway(): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
    const headers = Object.fromEntries(Object.entries(request.headersDistinct).map(([name, all]) => [name, `${all}`]));
    const served = await stub.fetch(`${stub.baseUrl}${request.url}`, { method: 'POST', headers, ...body });
    response.writeHead(served.status, { ...Object.fromEntries(served.headers), 'x-request-id': 'r-1' });
    response.end(await served.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

test('own requirements are in every form of the report', async () => {
  const { code, stdout } = await run('--only', 'acme,schedule', '--out', 'all');
  expect(code, stdout).toBe(1);
  expect(stdout).toContain('acme.request-id: Every response MUST carry an ID.');
  expect(stdout).toContain('Verdict: non-conformant');
  const report = await reportIn('all');
  expect(ownStatuses(report)).toEqual(['acme.readable passed', 'acme.request-id failed']);
  expect(report.requirements).toHaveLength(requirements.length + 2);
  expect(report.requirements.filter(({ topic, status }) => topic === 'schedule' && status === 'passed')).not.toEqual(
    [],
  );
  for (const form of ['report.html', 'junit.xml', 'ctrf.json', 'summary.md']) {
    expect(await textOf('all', form), form).toContain('acme.request-id');
  }
});

test.each([
  [['--only', 'acme.readable'], 0, ['acme.readable passed', 'acme.request-id not-tested']],
  [['--only', 'acme', '--skip', '*.request-id', '--require', 'acme.readable'], 0, ['acme.readable passed']],
  [['--only', 'schedule', '--require', 'acme.readable'], 1, ['acme.readable not-tested']],
  [['--only', 'acme', '--as-of', '0.1.0'], 1, ['acme.readable passed', 'acme.request-id failed']],
])('patterns select own requirements: %j', async (options, code, statuses) => {
  const ended = await run(...options, '--out', 'selected');
  expect(ended.code, ended.stdout + ended.stderr).toBe(code);
  expect(ownStatuses(await reportIn('selected'))).toEqual(expect.arrayContaining(statuses));
});

test('known failures list own requirements', async () => {
  const list = ['--known-failures', 'known.json', '--only', 'acme', '--out', 'known'];
  const updated = await run(...list, '--update-known-failures');
  expect(updated.stdout).toContain('1 added');
  const entry = { requirement: 'acme.request-id', reason: 'new gateway', issue: 'https://tracker.example.test/1' };
  await writeFile(folder.file('known.json'), JSON.stringify([{ ...entry, owner: 'acme', expires: '2999-12-31' }]));
  const known = await run(...list);
  expect(known.code, known.stdout).toBe(0);
  expect(ownStatuses(await reportIn('known'))).toContain('acme.request-id known-failure');
  const without = await inFolder('run', baseUrl, '--known-failures', 'known.json', '--only', 'schedule');
  expect([without.code, without.stderr]).toEqual([
    2,
    expect.stringContaining('for a custom requirement, pass --stories'),
  ]);
});

test('tck plan counts own requirements and requests, and tck list shows them', async () => {
  const planOf = async (...more: string[]): Promise<Plan> =>
    JSON.parse((await inFolder('plan', baseUrl, '--json', ...more)).stdout);
  const [whole, kit] = [await planOf(...stories), await planOf()];
  expect(whole.tested - kit.tested).toBe(2);
  expect((whole.mostRequests.primary ?? 0) - (kit.mostRequests.primary ?? 0)).toBe(100);
  const listed = await inFolder('list', 'acme', ...stories);
  expect(listed.stdout).toContain('story: acme reading');
});

test('shards are merged, reports compared, and findings replayed', { timeout: 120_000 }, async () => {
  for (const index of [1, 2]) {
    const shard = await run('--only', 'acme,schedule', '--shard', `${index}/2`, '--out', `part-${index}`);
    expect(shard.code, shard.stderr).not.toBe(2);
  }
  const merged = await inFolder('merge', 'part-1', 'part-2', '--require', 'acme', '--out', 'merged');
  expect(merged.code, merged.stderr).toBe(1);
  expect(ownStatuses(await reportIn('merged'))).toEqual(['acme.readable passed', 'acme.request-id failed']);

  await using fixed = await gateway();
  const after = await inFolder('run', fixed.url, ...stories, '--only', 'acme,schedule', '--out', 'after');
  expect(after.code, after.stdout).toBe(0);
  const compared = await inFolder('compare', 'merged', 'after', '--details');
  expect(compared.stdout).toContain('acme.request-id');
  expect(compared.code, compared.stdout).toBe(0);

  const replayed = await inFolder('replay', 'merged', '--url', baseUrl, ...stories);
  expect(replayed.stdout).toMatch(/✗ still failing .*\n +rule +acme\.request-id/);
  const mended = await inFolder('replay', 'merged', 'acme', '--url', fixed.url, ...stories);
  expect(mended.stdout).toMatch(/✓ fixed .*\n +rule +acme\.request-id/);
  expect(mended.code).toBe(0);
  const unknown = await inFolder('replay', 'merged', '--url', baseUrl);
  expect(unknown.stderr).toContain('does not know acme.request-id');
  expect(unknown.stderr).toContain('--stories');
});

test('rules judge recorded traffic, in a file and through a proxy', async () => {
  await run('--only', 'schedule', '--out', 'recorded', '--har', 'run.har');
  const audited = await inFolder('audit', 'run.har', ...stories, '--only', 'acme', '--out', 'audited');
  expect(audited.code, audited.stderr).toBe(1);
  expect(ownStatuses(await reportIn('audited'))).toEqual(['acme.readable passed', 'acme.request-id failed']);

  const request = `fetch(process.env.TCK_BASE_URL + '/api/v1/tools/schedule.read', { method: 'POST' })`;
  const proxy = ['proxy', baseUrl, ...stories, '--only', 'acme', '--out', 'passed', '--'];
  const passed = await inFolder(...proxy, process.execPath, '-e', request);
  expect(passed.stderr).toContain('✗ acme.request-id (request 1 through the proxy)');
  expect(ownStatuses(await reportIn('passed'))).toContain('acme.request-id failed');
});

test('a process of tck resolves the import of a file that has no package beside it', async () => {
  await writeFile(folder.file('typed.ts'), own.replace("helper = '", "helper: string = '"));
  const options = ['--only', 'acme', '--out', 'typed'];
  const { code, stdout, stderr } = await tckProcess(['run', '--stub', '--stories', 'typed.ts', ...options], {
    cwd: folder.path,
  });
  expect(code, stdout + stderr).toBe(1);
  expect(ownStatuses(await reportIn('typed'))).toEqual(['acme.readable passed', 'acme.request-id failed']);
});

/** Writes a configuration that names a file of stories. The file leaves a trace when it is loaded. */
async function configured(): Promise<string[]> {
  const write = `writeFileSync(${JSON.stringify(folder.file('loaded'))}, '');`;
  await writeFile(folder.file('traced.mjs'), `import { writeFileSync } from 'node:fs';\n${write}\n${own}`);
  const keys = { primary: { env: 'TCK_KEY_PRIMARY' } };
  await writeFile(folder.file('tck.config.json'), JSON.stringify({ baseUrl, keys, stories: ['./traced.mjs'] }));
  return ['--config', 'tck.config.json'];
}
const isLoaded = () => existsSync(folder.file('loaded'));

test('tck plan loads no stories of a configuration, and shows which ones a run would load', async () => {
  const { stdout } = await inFolder('plan', ...(await configured()));
  expect(stdout).toContain('note: tck run loads the stories of ./traced.mjs; --stories counts them here');
  expect(isLoaded()).toBe(false);
});

test.each([['run'], ['plan'], ['replay', 'report'], ['audit', 'run.har'], ['proxy', 'http://127.0.0.1:9']])(
  'tck %s --no-commands refuses a configuration that names stories',
  async (...args) => {
    await writeFile(folder.file('report'), JSON.stringify({}));
    const refused = await inFolder(...args, ...(await configured()), '--no-commands');
    expect(refused.code).toBe(2);
    if (args[0] !== 'replay') expect(refused.stderr).toContain('stories: expected no files because of --no-commands');
    expect(isLoaded()).toBe(false);
  },
);

test('a configuration names files of stories, which the command prints', async () => {
  const { stderr } = await inFolder('run', ...(await configured()), '--only', 'acme', '--out', 'configured');
  expect(stderr).toBe('tck: tck.config.json loads these files and runs their code:\n  stories[0]: ./traced.mjs\n');
  expect(isLoaded()).toBe(true);
  expect(ownStatuses(await reportIn('configured'))).toContain('acme.readable passed');
});

test.each([
  ['nowhere.mjs', undefined, 'nowhere.mjs: the file of stories does not exist. Check the path.'],
  ['.', undefined, '.: the file of stories is a folder. Check the path.'],
  ['none.mjs', 'export const a = 1;', 'none.mjs: no export is a story. Write: export default story('],
  ['wrong.mjs', 'export default (', 'wrong.mjs: the file of stories cannot be loaded.'],
  ['throws.mjs', "throw new Error('oops');", 'throws.mjs: the file of stories cannot be loaded. Error: oops'],
  [
    'topic.mjs',
    own.replaceAll('acme.', 'schedule.'),
    "topic.mjs: story 'acme tracing': 'schedule.request-id': the kit",
  ],
  ['bare.mjs', own.replaceAll('acme.', ''), "bare.mjs: story 'acme tracing': 'request-id' is not an ID."],
])('the file %s of stories is refused', async (name, text, why) => {
  if (text !== undefined) await writeFile(folder.file(name), text);
  const { code, stderr } = await inFolder('run', baseUrl, '--stories', name);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`tck: ${why}`)]);
});

test('two files that define one ID are refused', async () => {
  await writeFile(folder.file('again.mjs'), own.replaceAll("story('acme", "story('other"));
  const { code, stderr } = await inFolder('run', baseUrl, ...stories, '--stories', 'again.mjs');
  expect(code).toBe(2);
  expect(stderr).toContain("again.mjs: story 'other tracing': 'acme.request-id' is defined twice, first in acme.mjs");
});
