import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { requirements } from '../requirements.ts';
import type { TargetOptions } from '../target/define.ts';

/** The examples of the guide run in separate processes, as in a user's project. */
const guide = await readFile(new URL('../../docs/ci.md', import.meta.url), 'utf8');
const section = guide.slice(guide.indexOf('## In a test runner'));
const exampleOf = (language: string) => section.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? '';

const sources = {
  'content-workspace-tck/vitest': '../../stub/vitest.ts',
  'content-workspace-tck/node-test': './node-test.ts',
  'content-workspace-tck': '../index.ts',
};

const folder = temporaryFolder();

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  output: string;
}

async function write(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  const resolved = Object.entries(sources).reduce(
    (changed, [specifier, path]) => changed.replace(`'${specifier}'`, `'${new URL(path, import.meta.url).href}'`),
    text,
  );
  await writeFile(file, resolved);
  return file;
}

function run(args: readonly string[], { baseUrl, keys }: Pick<TargetOptions, 'baseUrl' | 'keys'>): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    TCK_BASE_URL: baseUrl,
    TCK_KEY_PRIMARY: String(keys.primary),
    TCK_WORKSPACE: 'north',
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [...args], { cwd: folder, env }, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
}

type RunTests = (text: string, target: Pick<TargetOptions, 'baseUrl' | 'keys'>) => Promise<Counts>;

const withVitest: RunTests = async (text, target) => {
  await write('conformance.test.ts', text);
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
  const output = await run(
    [vitest, 'run', '--root', folder, '--reporter=json', '--reporter=default', '--outputFile=results.json'],
    target,
  );
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(
    await readFile(join(folder, 'results.json'), 'utf8'),
  );
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests, output };
};

const withNode: RunTests = async (text, target) => {
  const output = await run(['--test', '--test-reporter=tap', await write('conformance.test.mjs', text)], target);
  const count = (name: string) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(output)?.[1]);
  return { passed: count('pass'), failed: count('fail'), skipped: count('skipped'), output };
};

const inSchedule = requirements.filter(({ topic }) => topic === 'schedule').length;
const defect = 'days-empty';

test.each([
  ['vitest', withVitest, exampleOf('ts')],
  ['node:test', withNode, exampleOf('js')],
] as const)(
  'with %s, each requirement is a test that passes, is skipped, or fails',
  async (_name, runTests, example) => {
    const stub = createStub();
    const { baseUrl } = await stub.listen({ port: 0 });
    const conforming = await runTests(example, { baseUrl, keys: stub.keys });
    expect(conforming.failed, conforming.output).toBe(0);
    expect(conforming.passed).toBeGreaterThan(3);
    expect(conforming.passed + conforming.skipped).toBe(inSchedule + 1);
    await stub.close();

    const broken = createStub({ defects: [defect] });
    const { baseUrl: address } = await broken.listen({ port: 0 });
    const failing = await runTests(example.replace("['schedule']", "['schedule', 'expiry']"), {
      baseUrl: address,
      keys: broken.keys,
    });
    expect(failing.failed, failing.output).toBe(1);
    expect(failing.output).toContain('hint: ');
    expect(failing.output).toContain('curl ');
    expect(failing.output).not.toContain(broken.keys.primary);
    expect(failing.skipped).toBeGreaterThan(conforming.skipped);
    await broken.close();
  },
);

test('a deployment that nothing reaches fails a test', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  listener.close();
  const keys = { primary: 'a-key-of-nobody' };
  const { failed, passed, output } = await withNode(exampleOf('js'), {
    baseUrl: `http://127.0.0.1:${address.port}`,
    keys,
  });
  expect({ failed: failed > 0, passed }, output).toEqual({ failed: true, passed: 0 });
  expect(output).toContain('the run reaches a verdict');
});
