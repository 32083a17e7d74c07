import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { needs } from '../fixtures/requirements/needs.generated.ts';
import packageJson from '../package.json' with { type: 'json' };
import { createStub } from '../stub/index.ts';
import { requirements } from '../suites/requirements.ts';
import { serviceRefusals } from '../suites/topics/declared/row-witnesses.ts';
import { combineDefects } from '../test/mutations/defects/index.ts';
import { judgeOptions } from './judge.ts';

/** Requirements that a run tests with the key `primary` and without side effects. */
const isTestedWithPrimary = (id: string) => needs[id] === undefined && !serviceRefusals.has(id);
const testedWithPrimary = requirements.filter(({ id }) => isTestedWithPrimary(id)).length;

interface Step {
  id?: string;
  uses?: string;
  with?: Record<string, string>;
  shell?: string;
  env?: Record<string, string>;
  run?: string;
  if?: string;
}

interface Action {
  inputs: Record<string, { default: string }>;
  runs: { steps: Step[] };
}

const { engines } = packageJson;

let folder: string;
let action: Action;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-action-'));
  action = parse(await readFile(new URL('../action.yml', import.meta.url), 'utf8'));
  // Replaces the program that the step `install` adds to the path.
  const cli = fileURLToPath(new URL('./main.ts', import.meta.url));
  await writeFile(join(folder, 'tck'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
  await chmod(join(folder, 'tck'), 0o755);
});

afterAll(() => rm(folder, { recursive: true }));

/** Runs a step as GitHub does: its text as a bash script, with an environment from the inputs. */
async function runStep(inputs: Record<string, string>, env: Record<string, string>, id = 'run') {
  const step = action.runs.steps.find((each) => each.id === id);
  const filled = (text: string) =>
    text.replace(/\$\{\{ inputs\.([a-z-]+) \}\}/g, (_, name) => inputs[name] ?? action.inputs[name]?.default ?? '');
  const script = join(folder, 'step.sh');
  const summary = join(folder, 'summary.md');
  await writeFile(script, step?.run ?? '');
  await writeFile(summary, '');
  const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', script], {
    cwd: folder,
    env: {
      PATH: [folder, process.env.PATH].join(delimiter),
      GITHUB_STEP_SUMMARY: summary,
      CI: 'true',
      ...Object.fromEntries(Object.entries(step?.env ?? {}).map(([name, value]) => [name, filled(value)])),
      ...env,
    },
  });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise((ended) => child.once('close', ended));
  return { code, stdout, stderr, summary: await readFile(summary, 'utf8') };
}

test('the action checks a deployment, with annotations, summary and report', async () => {
  await using good = createStub();
  await using bad = createStub({ deviation: combineDefects(['days-backwards']) });
  const env = { TCK_KEY_PRIMARY: good.keys.primary };
  const [{ baseUrl }, other] = await Promise.all([good.listen({ port: 0 }), bad.listen({ port: 0 })]);
  const green = await runStep({ url: baseUrl, require: 'schedule' }, env);
  expect(green.code, green.stdout).toBe(0);
  expect(green.summary).toContain(`No violations found, ${testedWithPrimary} of ${requirements.length} tested`);
  const red = await runStep({ url: other.baseUrl, out: 'red' }, env);
  expect(red.code, red.stdout).toBe(1);
  expect(red.stdout).toMatch(/^::error title=`schedule\.read` returns/m);
  expect(red.summary).toContain('schedule.days-consecutive');
  expect(await readFile(join(folder, 'red', 'report.json'), 'utf8')).toContain('non-conformant');
});

test('the action judges a client', { timeout: 60_000 }, async () => {
  const call = 'curl -sS -o /dev/null -d {} -H "Authorization: Bearer $TCK_KEY_PRIMARY"';
  const client = `${call} "$TCK_BASE_URL/api/v1/tools/credits.balance?key=$TCK_KEY_PRIMARY"`;
  const { code, stdout, summary } = await runStep({ client, out: 'client', require: 'client-keys' }, {});
  expect(code, stdout).toBe(1);
  expect(summary).toContain('client-keys.only-in-authorization');
});

test('further options are those of the command, one on each line', { timeout: 60_000 }, async () => {
  const client = 'curl -sS -o /dev/null -d {} "$TCK_BASE_URL/api/v1/tools/credits.balance"';
  const options = '--scenario=plain\n\n--timeout=30\n--nonsense\n';
  const { code, stderr } = await runStep({ client, out: 'options', options }, {});
  expect(code, stderr).toBe(2);
  expect(stderr).toContain('unknown option --nonsense');
  const fewer = await runStep({ client, out: 'options', options: '--scenario=plain\n\n--fail-on-advice' }, {});
  expect(fewer.code, fewer.stderr).toBe(1);
  expect(fewer.stderr).toMatch(/^plain: .*client-requests\.content-type$/m);
  expect(fewer.stderr).not.toContain('limited');
});

test('the guide uses inputs of the action, and options of the command', async () => {
  const guide = await readFile(new URL('../docs/ci.md', import.meta.url), 'utf8');
  // Other actions have inputs of their own.
  const given = [...guide.matchAll(/content-workspace-tck@.*\n +with:\n((?: {10}.+\n)+)/g)].flatMap(([, block = '']) =>
    Object.keys(parse(block)),
  );
  expect(given).toContain('client');
  for (const input of given) expect(Object.keys(action.inputs)).toContain(input);
  const options = [...guide.matchAll(/tck judge (.*?)-- /g)].flatMap(([, all = '']) => all.match(/--[a-z-]+/g) ?? []);
  expect(options).toContain('--fail-on-advice');
  for (const option of options) expect(Object.keys(judgeOptions)).toContain(option.slice(2));
});

test('a comment on a pull request shows what changed since the baseline, and links the report', async () => {
  await using good = createStub();
  await using bad = createStub({ deviation: combineDefects(['days-backwards']) });
  const env = { TCK_KEY_PRIMARY: good.keys.primary };
  const [{ baseUrl }, other] = await Promise.all([good.listen({ port: 0 }), bad.listen({ port: 0 })]);
  await runStep({ url: baseUrl, out: 'baseline' }, env);
  const { stdout } = await runStep({ url: other.baseUrl, out: 'changed', baseline: 'baseline' }, env);
  expect(stdout).toContain('Since ');
  await using github = await recordedApi();
  const inputs = { out: 'changed', baseline: 'baseline', artifact: 'tck-report', token: 'a-token', comment: 'true' };
  const event = join(folder, 'event.json');
  await writeFile(event, '{"pull_request":{"number":7}}');
  const comment = (more: Record<string, string> = {}) =>
    runStep({ ...inputs, ...more }, { ...github.env, GITHUB_EVENT_PATH: event }, 'comment');
  expect((await comment()).stdout).toBe('added a comment\n');
  expect((await comment()).stdout).toBe('updated the comment 102\n');
  expect((await comment({ artifact: 'other' })).stdout).toBe('added a comment\n');
  expect(github.comments.slice(101).map(({ body }) => body)).toEqual([
    expect.stringMatching(
      /^<!-- content-workspace-tck: .* -->\n## ❌ Conformance: 1 new cause; .*schedule.*\[Report\]\(https:/s,
    ),
    expect.any(String),
  ]);
  expect(github.authorizations).toEqual(new Set(['Bearer a-token']));
  const without = await comment({ baseline: 'nowhere' });
  expect(without).toMatchObject({ code: 0, stdout: expect.stringContaining("there is no report 'nowhere'") });
  const refused = await runStep(
    inputs,
    { ...github.env, GITHUB_EVENT_PATH: event, GITHUB_REPOSITORY: 'o/closed' },
    'comment',
  );
  expect(refused).toMatchObject({ code: 0, stdout: expect.stringContaining('pull-requests: write') });
  expect(refused.stdout).not.toContain('a-token');
});

interface RecordedApi extends AsyncDisposable {
  env: Record<string, string>;
  comments: { id: number; body: string }[];
  authorizations: Set<string | undefined>;
}

/** A fake of GitHub's API for comments, with 101 comments of other users. */
async function recordedApi(): Promise<RecordedApi> {
  const comments = Array.from({ length: 101 }, (_, index) => ({ id: index + 1, body: 'Looks good.' }));
  const authorizations = new Set<string | undefined>();
  const server = createServer(async (request, response) => {
    authorizations.add(request.headers.authorization);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://api');
    const respond = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    if (pathname.startsWith('/repos/o/closed/')) {
      return respond(403, { message: 'Resource not accessible by integration' });
    }
    const sent = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
    if (request.method === 'GET' && pathname === '/repos/o/r/issues/7/comments') {
      const page = Number(searchParams.get('page'));
      return respond(200, comments.slice((page - 1) * 100, page * 100));
    }
    if (request.method === 'POST' && pathname === '/repos/o/r/issues/7/comments') {
      const comment = { id: comments.length + 1, body: sent.body };
      comments.push(comment);
      return respond(201, comment);
    }
    const own = comments.find(({ id }) => pathname === `/repos/o/r/issues/comments/${id}`);
    if (request.method !== 'PATCH' || own === undefined) return respond(404, { message: 'Not Found' });
    own.body = sent.body;
    respond(200, own);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const env = {
    GITHUB_API_URL: `http://127.0.0.1:${port}`,
    GITHUB_REPOSITORY: 'o/r',
    RUNNER_TEMP: folder,
    ACTION_PATH: fileURLToPath(new URL('..', import.meta.url)),
    REPORT_URL: 'https://github.com/o/r/actions/runs/1/artifacts/2',
  };
  return {
    env,
    comments,
    authorizations,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

test('every input is used, and the report is uploaded whatever happened', () => {
  const text = JSON.stringify(action.runs.steps);
  for (const name of Object.keys(action.inputs)) expect(text).toMatch(new RegExp(`inputs\\.${name}\\b`));
  for (const id of ['upload', 'comment']) {
    expect(action.runs.steps.find((each) => each.id === id)?.if).toMatch(/^always\(\)/);
  }
});

test('the package is installed without scripts, and npm sees no variable of the job but its own settings', async () => {
  const step = action.runs.steps.find(({ id }) => id === 'install');
  const programs = await mkdtemp(join(folder, 'npm-'));
  const seen = join(programs, 'seen');
  await writeFile(join(programs, 'npm'), `#!/bin/sh\nenv >'${seen}'; echo "$@" >'${seen}-args'\n`);
  await chmod(join(programs, 'npm'), 0o755);
  const kept = {
    HOME: folder,
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NPM_CONFIG_REGISTRY: 'https://r.test',
    npm_config_a: 'b',
  };
  const secret = { TCK_KEY_PRIMARY: 'a-key', GATEWAY_TOKEN: 'a-token', KEY_A: 'line\nPATH=x', GITHUB_TOKEN: 'a-token' };
  const env = { PATH: [programs, process.env.PATH].join(delimiter), TCK_PACKAGE: 'p@1', ...kept, ...secret };
  const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', step?.run ?? ''], { env });
  expect(await new Promise((ended) => child.once('close', ended))).toBe(0);
  const lines = (await readFile(seen, 'utf8')).split('\n');
  for (const [name, value] of Object.entries(kept)) expect(lines).toContain(`${name}=${value}`);
  for (const name of Object.keys(secret)) expect(lines.filter((line) => line.startsWith(`${name}=`))).toEqual([]);
  expect((await readFile(`${seen}-args`, 'utf8')).split(/\s/)).toEqual(
    expect.arrayContaining(['install', '--global', '--ignore-scripts', 'p@1']),
  );
});

test('every action is pinned to a commit, here and in the guides; its release is named', async () => {
  const guides = ['docs/ci.md', 'docs/releasing.md'];
  const texts = await Promise.all(
    ['action.yml', ...guides].map((path) => readFile(new URL(`../${path}`, import.meta.url), 'utf8')),
  );
  const uses = texts.flatMap((text) => [...text.matchAll(/^ +(?:- )?uses: (.*)/gm)].map(([, used]) => used));
  expect(uses.length).toBeGreaterThan(5);
  for (const used of uses) expect(used).toMatch(/^[\w/-]+@([\da-f]{40}|COMMIT_OF_THE_RELEASE) # v\d+\.\d+\.\d+$/);
});

test('Node.js is set up where the job has none that is new enough', async () => {
  const [check, setup] = action.runs.steps;
  expect(setup).toMatchObject({
    uses: expect.stringMatching(/^actions\/setup-node@/),
    if: "steps.node.outputs.enough != 'true'",
  });
  expect(setup?.with).toEqual({ 'node-version': engines.node });
  const output = join(folder, 'output');
  const checked = async (version: string) => {
    const programs = await mkdtemp(join(folder, 'node-'));
    const older = `Object.defineProperty(process.versions, 'node', { value: '${version}' });`;
    const pretending = `data:text/javascript,${encodeURIComponent(older).replaceAll("'", '%27')}`;
    const script = `#!/bin/sh\nexec '${process.execPath}' --import '${pretending}' "$@"\n`;
    await writeFile(join(programs, 'node'), script);
    await chmod(join(programs, 'node'), 0o755);
    await writeFile(output, '');
    const env = { PATH: [programs, process.env.PATH].join(delimiter), GITHUB_OUTPUT: output };
    const child = spawn('bash', ['--noprofile', '--norc', '-e', '-c', check?.run ?? ''], { env });
    expect(await new Promise((ended) => child.once('close', ended))).toBe(0);
    return readFile(output, 'utf8');
  };
  for (const version of ['20.19.0', '22.21.9', '18.0.0']) expect(await checked(version), version).toBe('');
  for (const version of ['22.22.0', '23.0.0', '26.10.0']) expect(await checked(version), version).toBe('enough=true\n');
});
