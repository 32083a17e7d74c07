import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadKnownFailures } from '../reports/known-failures/load.ts';
import { createStub, type Stub } from '../stub/index.ts';
import { writeConfiguration } from '../stub/serve/configuration.ts';
import { kit, owner } from '../suites/kit.ts';

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');
const guide = await read('ci.md');
const snippets = [...guide.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => parse(text));

let folder: string;
let stub: Stub;
let baseUrl: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-ci-'));
  // Three concurrent parts together exceed the default rate limit of a key.
  stub = createStub({ control: true, rateLimit: 6000 });
  ({ baseUrl } = await stub.listen({ port: 0 }));
  await writeConfiguration(join(folder, 'tck.config.json'), stub, baseUrl);
  // Replaces the installation in the first line of each script.
  const cli = fileURLToPath(new URL('../cli/main.ts', import.meta.url));
  await writeFile(join(folder, 'tck'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
  await chmod(join(folder, 'tck'), 0o755);
});

afterAll(async () => {
  await stub.close();
  await rm(folder, { recursive: true });
});

/** Runs a line of a script against the stub. */
async function inShell(
  line: string,
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawn('bash', ['-e', '-c', line.replace('https://staging.example.test', baseUrl)], {
    cwd: folder,
    env: { PATH: [folder, process.env.PATH].join(delimiter), ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const code = await new Promise<number | null>((ended) => child.once('close', ended));
  return { code, output };
}

const linesOf = ({ script }: { script: string[] }) => {
  const [install, ...lines] = script;
  expect(install).toBe(`npm install --global --ignore-scripts ${kit.name}@${kit.version}`);
  return lines;
};

test('the job for GitHub gives the action what it takes', async () => {
  const { inputs } = parse(await read('../action.yml'));
  const [{ jobs }] = snippets;
  const step = jobs.conformance.steps.at(-1);
  expect(step.uses).toBe(`${owner || 'OWNER'}/${kit.name}@COMMIT_OF_THE_RELEASE`);
  expect(guide).toContain(`@COMMIT_OF_THE_RELEASE # v${kit.version}\n`);
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)));
});

test('the job for GitLab runs, and leaves what it says are its artifacts', async () => {
  const [, { conformance }] = snippets;
  for (const line of linesOf(conformance)) {
    const { code, output } = await inShell(line, { TCK_KEY_PRIMARY: stub.keys.primary });
    expect(code, output).toBe(0);
  }
  expect(await readFile(join(folder, conformance.artifacts.reports.junit), 'utf8')).toContain('<testsuite');
});

test('the list of known failures is one', async () => {
  const [text = ''] = /^- requirement:.*?(?=^```)/ms.exec(guide) ?? [];
  const path = join(folder, 'known-failures.yaml');
  await writeFile(path, text);
  expect(await loadKnownFailures(path)).toMatchObject([{ requirement: 'unknown-tools.name-not-in-body' }]);
});

test('the matrix for GitHub tests each shard, and the second job merges their reports', {
  timeout: 120_000,
}, async () => {
  const { conformance, verdict } = snippets.at(-2).jobs;
  const step = conformance.steps.at(-1);
  const { inputs } = parse(await read('../action.yml'));
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)));
  const { shard: shards } = conformance.strategy.matrix;
  const filledIn = (text: string, shard: number) =>
    text
      .replace(/\$\{\{ matrix\.shard \}\}/, `${shard}`)
      .replace(/\$\{\{ strategy\.job-total \}\}/, `${shards.length}`);
  // The action passes `config` and `options` on. Each artifact becomes a folder with its name.
  const all = await Promise.all(
    shards.map((shard: number) => {
      const [options, folderName] = [step.with.options, step.with.artifact].map((text) => filledIn(text, shard));
      return inShell(`tck run --config ${step.with.config} ${options} --out matrix/${folderName}`);
    }),
  );
  for (const { code, output } of all) expect(code, output).toBe(0);
  expect(verdict.needs).toBe('conformance');
  expect(verdict.steps[0].with.pattern).toBe('part-*');
  const [install, line] = verdict.steps.flatMap(({ run = [] }) => run);
  expect(install).toBe(`npm install --global --ignore-scripts ${kit.name}@${kit.version}`);
  const { code, output } = await inShell(`cd matrix && ${line}`);
  expect(code, output).toBe(0);
  const report = JSON.parse(await readFile(join(folder, 'matrix', 'tck-report', 'report.json'), 'utf8'));
  expect(report).toMatchObject({ verdict: 'conformant', complete: true });
});

test('the parts in GitLab run, and the verdict is made of them', { timeout: 120_000 }, async () => {
  const { conformance, verdict } = snippets.at(-1);
  const { parallel } = conformance;
  const parts = Array.from({ length: parallel }, (_, index) => ({
    CI_NODE_INDEX: `${index + 1}`,
    CI_NODE_TOTAL: `${parallel}`,
  }));
  const all = await Promise.all(parts.flatMap((env) => linesOf(conformance).map((line) => inShell(line, env))));
  for (const { code, output } of all) expect(code, output).toBe(0);
  for (const line of linesOf(verdict)) {
    const { code, output } = await inShell(line);
    expect(code, output).toBe(0);
  }
  const report = JSON.parse(await readFile(join(folder, 'tck-report', 'report.json'), 'utf8'));
  expect(report).toMatchObject({ verdict: 'conformant', complete: true });
});

test('the commands for a signed statement make keys, sign and verify', async () => {
  const lines = [...guide.matchAll(/^ {4}((?:openssl|tck attest|tck verify) .*)$/gm)].map(([, line = '']) => line);
  const inOrder = [/^openssl genpkey/, /^openssl pkey/, /--key key\.pem/, /^tck verify/, /--sign-command/];
  expect(lines).toHaveLength(inOrder.length);
  const kms =
    '#!/bin/sh\ncat >signed.bin\nopenssl pkeyutl -sign -rawin -inkey key.pem -in signed.bin | openssl base64\n';
  await writeFile(join(folder, 'kms-sign'), kms, { mode: 0o755 });
  for (const step of inOrder) {
    const line = lines.find((each) => step.test(each)) ?? '';
    const { code, output } = await inShell(line.replace('sha256:…', `sha256:${'ab'.repeat(32)}`), {
      GIT_COMMIT: 'd20ace7968ba43c0219f62d71334c1095bab1602',
    });
    expect(code, `${line}\n${output}`).toBe(0);
  }
  const { code, output } = await inShell(
    'tck verify result.intoto.json --key key.pub --commit d20ace7968ba43c0219f62d71334c1095bab1602',
  );
  expect(code, output).toBe(0);
});
