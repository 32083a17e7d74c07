import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { needs } from '../fixtures/requirements/needs.generated.ts';
import { createStub } from '../stub/index.ts';
import { requirements } from '../suites/requirements.ts';
import type { RunResult } from '../suites/result.ts';
import { serviceRefusals } from '../suites/topics/declared/row-witnesses.ts';
import { delayedInFrontOf, httpServer } from '../test/network.ts';
import { reportIn, textsIn } from '../test/output.ts';
import { type Ended, startTck, type TckOptions, tck, tckProcess } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

/** Requirements that a run tests with the key `primary` and without side effects. */
const isTestedWithPrimary = (id: string) => needs[id] === undefined && !serviceRefusals.has(id);
const testedWithPrimary = requirements.filter(({ id }) => isTestedWithPrimary(id)).length;

const folder = temporaryFolder();
const main = fileURLToPath(new URL('main.ts', import.meta.url));
const stub = createStub({ seed: 7, rateLimit: 5000 });
const primary = { TCK_KEY_PRIMARY: stub.keys.primary };
let baseUrl = '';

beforeAll(async () => {
  ({ baseUrl } = await stub.listen());
});

afterAll(() => stub.close());

/** Runs `tck run` with a new report folder. `report` is undefined if the run wrote none. */
async function run(args: readonly string[], options?: TckOptions, start = tck) {
  const out = await mkdtemp(join(folder, 'out-'));
  const ended = await start(['run', ...args, '--out', out], options);
  const report: RunResult | undefined = await reportIn(out).catch(() => undefined);
  return { ...ended, out, report };
}

/** All printed and written output. */
const everythingOf = async ({ stdout, stderr, out }: Ended & { out: string }) =>
  [stdout, stderr, ...Object.values(await textsIn(out))].join('\n');

test('the embedded stub conforms, every requirement is tested, and no key is told', async () => {
  const ended = await run(['--stub', '--seed', '7'], {}, tckProcess);
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  expect(ended.report).toMatchObject({ verdict: 'conformant', complete: true, seed: 7, target: { kind: 'stub' } });
  expect(ended.stdout).toContain('conformant');
  // The only control character in a log is the line feed.
  expect([...ended.stdout].filter((letter) => letter < ' ' && letter !== '\n')).toEqual([]);
  const everything = await everythingOf(ended);
  for (const key of Object.values(stub.keys)) expect(everything).not.toContain(key);
});

test('a run ends after its longest duration', async () => {
  await using slow = await delayedInFrontOf(Number(new URL(baseUrl).port), 400);
  const ended = await run([`http://127.0.0.1:${slow.port}`, '--max-duration', '1'], { env: primary });
  expect(ended.code, ended.stdout + ended.stderr).toBe(3);
  expect(ended.report?.trouble).toEqual(['the run reached its longest duration of 1 s']);
});

test('with a url and one key the run only reads, and is green', async () => {
  const ended = await run([baseUrl], { env: primary });
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  expect(ended.report).toMatchObject({ verdict: 'partial', complete: false, target: { allow: [] } });
  expect(ended.report?.summary).toMatchObject({ imagesConfirmed: 0, contentRequestsCreated: 0 });
  expect(await everythingOf(ended)).not.toContain(stub.keys.primary);
});

test('a deviation ends with 1, and only what was selected is checked', async () => {
  await using server = await httpServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'),
  );
  const ended = await run([`http://127.0.0.1:${server.port}`, '--only', 'credits,headers.*'], { env: primary });
  expect(ended.code, ended.stdout + ended.stderr).toBe(1);
  expect(ended.report?.verdict).toBe('non-conformant');
});

test('what is required and was not tested fails the gate, and says nothing against the deployment', async () => {
  const ended = await run([baseUrl, '--require', 'race', '--label', 'build 7'], { env: primary });
  expect(ended.code, ended.stdout + ended.stderr).toBe(1);
  expect(ended.report).toMatchObject({
    verdict: 'partial',
    complete: false,
    gate: { passed: false, reasons: [expect.stringMatching(/^2 required requirements not tested: race\./)] },
    reasons: [],
    target: { baseUrl, label: 'build 7' },
  });
  const headline = `No violations found, ${testedWithPrimary} of ${requirements.length} tested`;
  expect(ended.stdout).toContain(`${headline}\n${baseUrl} (build 7)\n`);
  expect(await everythingOf(ended)).not.toMatch(/The deployment violates|Non-conformant/);
});

test('a target that refuses every key ends with 3', async () => {
  const ended = await run([baseUrl], { env: { TCK_KEY_PRIMARY: 'nobody-knows-this-key' } });
  expect(ended.code, ended.stdout + ended.stderr).toBe(3);
  expect(ended.report?.verdict).toBe('inconclusive');
  expect(await everythingOf(ended)).not.toContain('nobody-knows-this-key');
});

test.concurrent.each<[string[], string, Record<string, string>?]>([
  [[], 'no target: pass a URL, --stub, --image, or --config FILE'],
  [['http://127.0.0.1:9', '--stub'], 'expected one target, got a URL and --stub'],
  [['http://127.0.0.1:9'], 'no key: set TCK_KEY_PRIMARY'],
  [['http://127.0.0.1:9'], 'TCK_KEY_PRIMARY: expected a key, got an empty value', { TCK_KEY_PRIMARY: '' }],
  [['http://api.example.test'], 'url: expected https', { TCK_KEY_PRIMARY: 'key-of-primary' }],
  [['--stub', '--only', 'rac'], "--only: 'rac' selects no requirement; did you mean 'race"],
  [['--stub', '--skip', 'nothing-like-it'], "--skip: 'nothing-like-it' selects no requirement"],
  [['--stub', '--require', 'al'], "--require: 'al' selects no requirement"],
  [
    ['--stub', '--allow', 'reading'],
    "--allow: expected all, none or side effects (proposals, writes, spending, throttling, waiting), got 'reading'",
  ],
  [['--stub', '--config', 'no-such.json'], "--config: 'no-such.json' does not exist"],
  [['--stub', '--known-failures', 'no-such.yaml'], 'Cannot read the known failures'],
  [['--stub', '--port', '80'], '--port: expected only with --image'],
  [['--stub', '--image', 'x'], 'expected one target, got --stub and --image'],
  [['--stub', '--ready', '/'], '--ready: expected only with --image'],
  [['--image', 'x'], '--port: expected with --image'],
  [['--image', 'x', '--port', '80'], 'no key: set TCK_KEY_PRIMARY'],
])('run %j is wrong usage: exit code 2, one line, no report', async (args, message, env = {}) => {
  const ended = await run(args, { env });
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 2, stdout: '' });
  expect(ended.stderr).toContain(`tck: ${message}`);
  expect(ended.stderr).not.toContain('    at ');
  expect(await readdir(ended.out)).toEqual([]);
});

test.each(['/dev/null/report', ...(process.platform === 'linux' ? ['/proc/no-such-process/report'] : [])])(
  'a folder that cannot be written to is wrong usage, and nothing is sent: %s',
  async (out) => {
    const before = stub.stats.requests({});
    const ended = await tck(['run', baseUrl, '--out', out], { env: primary });
    expect({ ...ended, stderr: '' }).toEqual({ code: 2, stdout: '', stderr: '' });
    expect(ended.stderr).toMatch(new RegExp(`^tck: --out: cannot write to '${out}': E[A-Z]+: [a-z ]+\n$`));
    expect(stub.stats.requests({})).toBe(before);
  },
);

test('the report of an earlier run is set aside before anything else, also for wrong usage', async () => {
  const { out, code } = await run(['--stub', '--only', 'credits']);
  expect(code).toBe(0);
  const report = await readFile(join(out, 'report.json'));
  for (const wrong of [[], ['--require', 'no-such-topic'], ['--unknown'], ['one', 'two'], ['--seed', 'x']]) {
    await writeFile(join(out, 'report.json'), report);
    expect((await tck(['run', ...wrong, '--out', out], { env: {} })).code).toBe(2);
    expect(await readdir(out), wrong.join()).toEqual(['report.previous.json']);
  }
});

test('a run at a target that is not there leaves nothing of an earlier run that conforms', async () => {
  const { out } = await run(['--stub', '--only', 'credits']);
  const ended = await tck(['run', 'http://127.0.0.1:9', '--out', out], { env: primary });
  expect(ended.code, ended.stdout + ended.stderr).toBe(3);
  expect((await textsIn(out))['summary.md']).not.toContain('Conformant');
  expect((await reportIn(out)).verdict).toBe('inconclusive');
});

test.skipIf(process.platform === 'win32')(
  'on a full disk the verdict is told, and no report is left (needs POSIX)',
  async () => {
    const { out } = await run(['--stub', '--only', 'credits']);
    const command = [process.execPath, main, 'run', '--stub', '--only', 'credits', '--out', out];
    // Limits files to 8 KB. Larger writes fail as on a full disk.
    const script = `trap '' XFSZ; ulimit -f 16; exec "$@"`;
    const env = { PATH: process.env.PATH };
    const ended = spawnSync('sh', ['-c', script, 'sh', ...command], { encoding: 'utf8', env });
    expect(ended.status, ended.stderr).toBe(2);
    expect(ended.stdout).toContain('Verdict: conformant (');
    expect(ended.stderr).toMatch(/^tck: cannot write \S*report\.json: EFBIG: [a-z ]+\n$/);
    expect(await readdir(out)).toEqual(['report.previous.json']);
  },
);

test.skipIf(process.platform !== 'linux')(
  'output that cannot be written ends in one sentence, with exit code 2 (needs Linux)',
  () => {
    const ended = spawnSync('sh', ['-c', '"$0" "$1" list >/dev/full', process.execPath, main], { encoding: 'utf8' });
    const why = 'tck: cannot write the output: ENOSPC: no space left on device, write\n';
    expect([ended.status, ended.stderr]).toEqual([2, why]);
  },
);

test('SIGINT ends the run with a report of what is known', async () => {
  let requests = 0;
  await using silent = await httpServer(() => {
    requests += 1;
  });
  const out = await mkdtemp(join(folder, 'out-'));
  const running = startTck(['run', `http://127.0.0.1:${silent.port}`, '--out', out], { env: primary });
  await expect.poll(() => requests, { timeout: 60_000 }).toBeGreaterThan(0);
  running.child.kill('SIGINT');
  const ended = await running.ended;
  expect(ended.code, ended.stderr).toBe(3);
  expect(await reportIn(out)).toMatchObject({ interrupted: true, verdict: 'inconclusive' });
});
