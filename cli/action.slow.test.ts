import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createStub } from '../stub/index.ts';
import { ran, writeTck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { judgeOptions } from './judge.ts';

interface Action {
  inputs: Record<string, { default?: string }>;
  runs: { steps: { id?: string; env?: Record<string, string>; run?: string }[] };
}

const folder = temporaryFolder();
const pageOf = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');
const action: Action = parse(await pageOf('action.yml'));

beforeAll(async () => {
  await writeTck(folder);
  const programs = { npm: 'echo npm "$@"', gh: 'echo gh "$@"; test "$3" = 7' };
  for (const [name, script] of Object.entries(programs))
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
});

/** Runs a step as GitHub does: its text as a bash script, with an environment from the inputs. */
async function runStep(inputs: Record<string, string>, env: Record<string, string>, id = 'run') {
  const step = action.runs.steps.find((each) => each.id === id);
  const filled = (text: string) =>
    text.replace(/\$\{\{ inputs\.([a-z-]+) \}\}/g, (_, name) => inputs[name] ?? action.inputs[name]?.default ?? '');
  const given = Object.entries(step?.env ?? {}).map(([name, value]) => [name, filled(value)]);
  const [script, summary] = [join(folder, 'step.sh'), join(folder, 'summary.md')];
  await writeFile(script, step?.run ?? '');
  await writeFile(summary, '');
  const PATH = [folder, process.env.PATH].join(delimiter);
  const ended = await ran('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', script], {
    cwd: folder,
    env: { PATH, GITHUB_STEP_SUMMARY: summary, CI: 'true', ...Object.fromEntries(given), ...env },
  });
  return { ...ended, summary: await readFile(summary, 'utf8') };
}

test('the action installs the kit and checks a deployment, with annotations, summary and report', async () => {
  await using good = createStub();
  await using bad = createStub({ defects: ['days-empty'] });
  const env = { TCK_KEY_PRIMARY: good.keys.primary };
  const [{ baseUrl }, other] = await Promise.all([good.listen(), bad.listen()]);
  const green = await runStep({ args: `run\n${baseUrl}\n\n--require=schedule\n` }, env);
  expect(green.code, green.stdout).toBe(0);
  expect(green.stdout).toMatch(/^npm install --global --ignore-scripts .* content-workspace-tck@\d+\.\d+\.\d+\n/);
  expect(green.summary).toContain('No violations found');
  const red = await runStep({ args: `run\n${other.baseUrl}`, out: 'red' }, env);
  expect(red.code, red.stdout).toBe(1);
  expect(red.stdout).toMatch(/^::error title=/m);
  expect(red.summary).toContain('schedule.days');
  expect(await readFile(join(folder, 'red', 'report.json'), 'utf8')).toContain('non-conformant');
});

test('the action judges a client', async () => {
  await writeFile(join(folder, 'client.sh'), 'curl -sS -d {} "$TCK_BASE_URL/api/v1/tools/credits.balance?key=$1"\n');
  const args = 'judge\n--scenario=plain\n--fail-on-advice\n--\nbash\nclient.sh\nakey\n';
  const { code, stdout, stderr, summary } = await runStep({ args, out: 'client' }, {});
  expect(code, stdout).toBe(1);
  expect(stderr).not.toContain('limited');
  expect(summary).toContain('client-requests.content-type');
  const wrong = await runStep({ args: 'judge\n--nonsense', out: 'wrong' }, {});
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('unknown option --nonsense')]);
});

test('a comment has the summary, and a comment that fails is a warning', async () => {
  const comment = (PULL_REQUEST: string) =>
    runStep({ out: 'red' }, { PULL_REQUEST, GITHUB_REPOSITORY: 'o/r' }, 'comment');
  const { code, stdout } = await comment('7');
  const options = '--body-file red/summary.md --edit-last --create-if-none';
  expect([code, stdout]).toEqual([0, `gh pr comment 7 --repo o/r ${options}\n`]);
  const failed = await comment('');
  expect([failed.code, failed.stdout]).toEqual([0, expect.stringContaining('::warning::No comment')]);
});

test('the guide uses inputs of the action, and options of the command', async () => {
  const guide = await pageOf('docs/ci.md');
  // Other actions have inputs of their own.
  const given = [...guide.matchAll(/content-workspace-tck@.*\n +with:\n((?: {10}.+\n)+)/g)].flatMap(([, block = '']) =>
    Object.keys(parse(block)),
  );
  expect(given).toContain('args');
  for (const input of given) expect(Object.keys(action.inputs)).toContain(input);
  const options = [...guide.matchAll(/tck judge (.*?)-- /g)].flatMap(([, all = '']) => all.match(/--[a-z-]+/g) ?? []);
  expect(options).toContain('--fail-on-advice');
  for (const option of options) expect(Object.keys(judgeOptions)).toContain(option.slice(2));
});

test('every input is used, and every action is pinned to a commit, here and in the guides', async () => {
  const text = JSON.stringify(action.runs.steps);
  for (const name of Object.keys(action.inputs)) expect(text).toMatch(new RegExp(`inputs\\.${name}\\b`));
  const texts = await Promise.all(['action.yml', 'docs/ci.md', 'docs/releasing.md'].map(pageOf));
  const uses = texts.flatMap((each) => [...each.matchAll(/^ +(?:- )?uses: (.*)/gm)].map(([, used]) => used));
  expect(uses.length).toBeGreaterThan(5);
  for (const used of uses) expect(used).toMatch(/^[\w/-]+@([\da-f]{40}|COMMIT_OF_THE_RELEASE) # v\d+\.\d+\.\d+$/);
});
