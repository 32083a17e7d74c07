import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createStub } from '../stub/index.ts';
import { combineDefects } from '../stub/variants/defects/index.ts';

interface Action {
  inputs: Record<string, { default: string }>;
  runs: { steps: { id?: string; shell?: string; env?: Record<string, string>; run?: string; if?: string }[] };
}

let folder: string;
let action: Action;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-action-'));
  action = parse(await readFile(new URL('../action.yml', import.meta.url), 'utf8'));
  // What the step `install` would put on the path.
  const cli = fileURLToPath(new URL('./main.ts', import.meta.url));
  await writeFile(join(folder, 'tck'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
  await chmod(join(folder, 'tck'), 0o755);
});

afterAll(() => rm(folder, { recursive: true }));

/** Runs the step `run` as GitHub does: its text in a file for bash, its environment from the inputs. */
async function runStep(inputs: Record<string, string>, env: Record<string, string>) {
  const step = action.runs.steps.find(({ id }) => id === 'run');
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
  const code = await new Promise((ended) => child.once('close', ended));
  return { code, stdout, summary: await readFile(summary, 'utf8') };
}

test('the action checks a deployment, with annotations, summary and report', async () => {
  await using good = createStub();
  await using bad = createStub({ deviation: combineDefects(['days-backwards']) });
  const env = { TCK_KEY_PRIMARY: good.keys.primary };
  const [{ baseUrl }, other] = await Promise.all([good.listen({ port: 0 }), bad.listen({ port: 0 })]);
  const green = await runStep({ url: baseUrl, require: 'schedule' }, env);
  expect(green.code, green.stdout).toBe(0);
  expect(green.summary).toContain('No violations found, 98 of 237 tested');
  const red = await runStep({ url: other.baseUrl, out: 'red' }, env);
  expect(red.code, red.stdout).toBe(1);
  expect(red.stdout).toMatch(/^::error title=schedule\./m);
  expect(red.summary).toContain('schedule.days-consecutive');
  expect(await readFile(join(folder, 'red', 'report.json'), 'utf8')).toContain('non-conformant');
});

test('every input is used, and the report is uploaded whatever happened', () => {
  const text = JSON.stringify(action.runs.steps);
  for (const name of Object.keys(action.inputs)) expect(text).toMatch(new RegExp(`inputs\\.${name}\\b`));
  expect(action.runs.steps.at(-1)?.if).toMatch(/^always\(\)/);
});
