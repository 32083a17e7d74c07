import { spawn } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadKnownFailures } from '../reports/known-failures/known-failures.ts';
import { createStub, type Stub } from '../stub/index.ts';
import { writeConfiguration } from '../stub/serve/configuration.ts';
import { kit, owner } from '../suites/kit.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');
const guide = await read('ci.md');
const snippets = [...guide.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => parse(text));

const folder = temporaryFolder();
let stub: Stub;
let baseUrl: string;

beforeAll(async () => {
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
  const [, , { conformance }] = snippets;
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
