import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Change, rowsWith } from '../reports/compare/model.ts';
import { createStub } from '../stub/index.ts';
import { requirements } from '../suites/requirements.ts';
import type { RunResult } from '../suites/result.ts';
import { httpServer } from '../test/network.ts';
import { idsWith, reportIn } from '../test/output.ts';
import { tck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const parent = temporaryFolder();
const [good, bad] = [createStub(), createStub({ defects: ['days-empty'] })];
const env = { TCK_KEY_PRIMARY: good.keys.primary };
let [goodUrl, badUrl, folder] = ['', '', ''];

beforeAll(async () => {
  folder = await mkdtemp(join(parent, 'out-'));
  ({ baseUrl: goodUrl } = await good.listen());
  ({ baseUrl: badUrl } = await bad.listen());
});
afterAll(() => Promise.all([good.close(), bad.close()]));

const all = (url: string, ...args: string[]) => tck(['run', url, '--out', folder, ...args], { env });
const run = (url: string, ...args: string[]) => all(url, '--only', 'schedule', ...args);
const inFolder = (name: string) => join(folder, name);

test('--quiet prints the verdict alone, --verbose each request and what came of it', async () => {
  const told = `No violations found, 9 of ${requirements.length} tested\n`;
  expect(await run(goodUrl, '--quiet')).toEqual({ code: 0, stdout: told, stderr: '' });
  const { stdout } = await run(goodUrl, '--verbose');
  expect(stdout).toMatch(/^POST schedule\.read as primary: 200, \d+ ms$/m);
  expect(stdout.match(/^POST .* ms$/gm)).toHaveLength((await reportIn(folder)).summary.requests);
  const both = await run(goodUrl, '--quiet', '--verbose');
  expect([both.code, both.stderr]).toEqual([2, 'tck: --quiet: expected without --verbose\n']);
});

test('every request says which run sends it', async () => {
  const agents = new Set<string | undefined>();
  await using server = await httpServer((request, response) => {
    agents.add(request.headers['user-agent']);
    response.writeHead(500).end();
  });
  await run(`http://127.0.0.1:${server.port}`);
  const { runId, kit } = await reportIn(folder);
  expect([...agents]).toEqual([`content-workspace-tck/${kit.version} run/${runId}`]);
});

test('a file that cannot be written leaves no passed gate on the screen', async () => {
  const out = inFolder('in-the-way');
  let requests = 0;
  // During the run, a file replaces the report folder.
  await using server = await httpServer(async (request, response) => {
    requests += 1;
    if (requests === 5) await rm(out, { recursive: true }).then(() => writeFile(out, ''));
    const { authorization = '' } = request.headers;
    const body = Buffer.concat(await request.toArray());
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(`${goodUrl}${request.url}`, { method: request.method ?? 'POST', headers, body });
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
  });
  await mkdir(out);
  const noFolder = inFolder('none/file');
  const cases = [
    { args: ['--out', out], url: `http://127.0.0.1:${server.port}` },
    { args: ['--har', noFolder, '--out', folder] },
    { args: ['--reporter', 'github', '--out', folder], more: { GITHUB_STEP_SUMMARY: noFolder } },
  ];
  for (const { args, url = goodUrl, more = {} } of cases) {
    const options = { env: { ...env, ...more } };
    const { code, stdout, stderr } = await tck(['run', url, '--only', 'credits', ...args], options);
    expect([args[0], code, stderr.includes('tck: ')]).toEqual([args[0], 2, true]);
    expect(stdout).toContain('Verdict: partial (');
    expect(stdout).toContain('Gate: not decided, since a file could not be written (exit code 2)');
    expect(stdout).not.toContain('passed\n');
  }
});

test('--reporter json prints one line for each cause, and nothing else', async () => {
  const args = ['run', badUrl, '--only', 'schedule', '--reporter', 'json', '--out', 'out'];
  const { stdout, code } = await tck(args, { cwd: folder, env });
  const [line = '', ...others] = stdout.trimEnd().split('\n');
  expect([code, others]).toEqual([1, []]);
  expect(JSON.parse(line)).toMatchObject({
    id: expect.stringMatching(/^schedule\./),
    title: expect.any(String),
    expected: expect.any(String),
    actual: expect.any(String),
    curl: [expect.stringMatching(/^curl -sS -i -X POST /)],
    exchanges: expect.arrayContaining([expect.any(Number)]),
    script: 'out/repro/1.sh',
  });
});

describe('known failures', () => {
  const list = () => inFolder('known.json');
  const excuse = { expires: '2999-12-31', reason: 'empty', issue: 'https://tracker.example.test/1', owner: 'team' };
  const entry = (requirement: string) => JSON.stringify({ requirement, ...excuse });

  /** Runs with a list of known failures. */
  async function runKnowing(entries: readonly string[], ...more: string[]) {
    await writeFile(list(), `[\n${entries.join(',\n')}\n]\n`);
    const ended = await run(badUrl, '--known-failures', list(), ...more);
    return { ...ended, report: await reportIn(folder) };
  }

  /** IDs of requirements that fail without a list of known failures. */
  async function failing(): Promise<string[]> {
    expect((await run(badUrl)).code).toBe(1);
    return idsWith(await reportIn(folder), 'failed');
  }

  test('do not fail the gate', async () => {
    const failed = await failing();
    expect(failed).toContain('schedule.days');
    const excused = await runKnowing(failed.map(entry));
    expect(excused.code, excused.stdout).toBe(0);
    expect(excused.report).toMatchObject({
      verdict: 'non-conformant',
      gate: { passed: true, reasons: [] },
      summary: { failed: 0, knownFailures: failed.length },
    });
  });

  test('--update-known-failures applies the list as it was before the run, and accepts an empty file', async () => {
    const [first = '', ...others] = await failing();
    const { code, report } = await runKnowing([entry(first)], '--update-known-failures');
    expect(code).toBe(others.length === 0 ? 0 : 1);
    expect(report.summary).toMatchObject({ failed: others.length, knownFailures: 1 });
    const listed: { requirement: string }[] = JSON.parse(await readFile(list(), 'utf8'));
    expect(listed.map(({ requirement }) => requirement).toSorted()).toEqual([first, ...others].toSorted());
    await writeFile(list(), '');
    expect((await run(badUrl, '--known-failures', list(), '--update-known-failures')).code).toBe(1);
  });

  test('entries are proposed without a reason, and a list without reasons is not accepted', async () => {
    const proposed = inFolder('proposed.yaml');
    expect((await run(badUrl, '--known-failures', proposed, '--update-known-failures')).code).toBe(1);
    expect(await readFile(proposed, 'utf8')).toContain('requirement: schedule.days');
    const { code, stderr } = await run(badUrl, '--known-failures', proposed);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/proposed\.yaml.*: entry 1 \(.*\): 'reason' is wrong/)]);
  });
});

describe('earlier reports', () => {
  const changed = ({ baseline }: RunResult, change: Change) =>
    rowsWith(baseline?.rows ?? [], change).map(({ id }) => id);

  test('a run says what changed since an earlier one, and runs again what failed last', async () => {
    await run(goodUrl, '--label', 'build 41');
    // The output folder as baseline refers to its earlier report.
    const { stdout } = await run(badUrl, '--baseline', folder);
    const worse = await reportIn(folder);
    const broken = changed(worse, 'regression');
    expect([broken, changed(worse, 'fixed')]).toEqual([expect.arrayContaining(['schedule.days']), []]);
    expect(worse.baseline?.runs[0]).toMatchObject({ label: 'build 41' });
    // After the verdict and the address, before everything else.
    expect(stdout).toMatch(/^Non-conformant: .*\nhttp:.*\nSince .* \(build 41\): .*\d regressions?/m);
    expect(stdout).toMatch(/regressions: .*schedule\.days/);

    expect((await all(goodUrl, '--last-failed', '--baseline', folder)).code).toBe(0);
    const again = await reportIn(folder);
    expect(again.summary.passed).toBe(worse.summary.failed);
    expect([changed(again, 'fixed'), changed(again, 'no longer tested')]).toEqual([broken, []]);
    expect(await all(goodUrl, '--last-failed')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--last-failed: nothing failed in the last report'),
    });
  });

  test.each([
    ['Cannot read the report', ['--baseline', 'none']],
    ['--last-failed: expected without --only', ['--last-failed', '--only', 'schedule']],
  ])('what cannot be looked at is named, before anything is sent: %s', async (message, args) => {
    expect(await all(goodUrl, ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});

describe('traces', () => {
  /** Runs with a value of `trace` in the configuration. */
  async function configured(trace: unknown) {
    const config = inFolder('tck.config.json');
    await writeFile(config, JSON.stringify({ keys: { primary: { env: 'TCK_KEY_PRIMARY' } }, trace }));
    return run(badUrl, '--config', config);
  }
  const page = () => readFile(inFolder('report.html'), 'utf8');
  const traces = async () => (await reportIn(folder)).exchanges.map(({ trace }) => trace);

  test('trace.url makes a link of each trace ID, and false leaves out IDs', async () => {
    expect(await configured({ url: 'https://traces.example.test/find?id={traceId}&last' })).toMatchObject({ code: 1 });
    const [first] = await traces();
    expect(first?.url).toBe(`https://traces.example.test/find?id=${first?.traceId}&last`);
    expect(await page()).toContain(`<a href="https://traces.example.test/find?id=${first?.traceId}&amp;last">`);
    expect(await page()).toContain(`<code>${first?.spanId}</code>`);
    expect(await configured(false)).toMatchObject({ code: 1 });
    expect(new Set(await traces())).toEqual(new Set([undefined]));
    expect(await page()).not.toContain('class="trace"');
  });

  test.each([
    [{ url: 'ftp://{traceId}' }, 'expected an http or https URL that contains {traceId}, got "ftp://{traceId}"'],
    [{ url: 'https://traces.example.test/' }, 'trace.url: expected an http or https URL that contains {traceId}, got'],
    [{ url: 'javascript:alert("{traceId}")' }, 'an http or https URL'],
    [{ link: 'https://{traceId}' }, 'trace.link: unknown field (known: url)'],
    ['no', 'trace: expected true, false or an object such as'],
  ])('trace %j is refused', async (trace, message) => {
    expect(await configured(trace)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});
