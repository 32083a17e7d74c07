import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configFolder } from '../test/config-folder.ts';
import { tck } from '../test/tck.ts';

let folder: Awaited<ReturnType<typeof configFolder>>;

beforeAll(async () => {
  folder = await configFolder({});
});
afterAll(() => folder[Symbol.asyncDispose]());

const newStory = (...args: string[]) => tck(['new', ...args], { cwd: folder.path });

/** Puts the sources of the kit in place of the package, which is not installed in the folder. */
async function useSources(name: string): Promise<void> {
  const text = await readFile(folder.file(name), 'utf8');
  const paths = { stub: '../stub/index.ts', stories: '../suites/stories.ts', '': '../suites/index.ts' };
  const urlOf = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const changed = Object.entries(paths).reduce(
    (all, [entry, path]) => all.replace(`'content-workspace-tck${entry && `/${entry}`}'`, urlOf(path)),
    text,
  );
  await writeFile(folder.file(name), changed);
}

test('the skeleton passes its test, and a run against the stub', { timeout: 120_000 }, async () => {
  const { code, stdout } = await newStory('story', 'acme.request-id');
  expect(code).toBe(0);
  expect(stdout).toContain('node --test acme-request-id.test.mjs');
  const args = ['run', '--stub', '--stories', 'acme-request-id.stories.mjs', '--only', 'acme.request-id'];
  const ran = await tck(args, { cwd: folder.path });
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
  expect(ran.stdout).toContain('1 passed');
  for (const name of ['acme-request-id.stories.mjs', 'acme-request-id.test.mjs']) await useSources(name);
  const tested = await promisify(execFile)(
    process.execPath,
    ['--test', '--test-reporter=tap', 'acme-request-id.test.mjs'],
    { cwd: folder.path },
  );
  expect(tested.stdout).toContain('# pass 2');
});

test('--test vitest writes a test for vitest', async () => {
  const { stdout } = await newStory('story', 'acme.other', '--test', 'vitest');
  expect(stdout).toContain('npx vitest run acme-other.test.mjs');
  expect(await readFile(folder.file('acme-other.test.mjs'), 'utf8')).toContain("expect(await statusWith([])).toBe('pa");
});

test.each([
  [['rule', 'acme.x'], "what: expected story, got 'rule'"],
  [['story', 'x'], "name: 'x' is not an ID. Expected a prefix and a name in lower case"],
  [['story', 'schedule.fast'], "name: 'schedule.fast': the kit uses the prefix 'schedule'"],
  [['story', 'acme.taken'], 'acme-taken.test.mjs: the file exists. Rename it, or use another ID.'],
  [['story', 'acme.y', '--test', 'jest'], "--test: expected node or vitest, got 'jest'"],
])('tck new %j is wrong usage', async (args, why) => {
  await writeFile(folder.file('acme-taken.test.mjs'), '');
  const { code, stderr } = await newStory(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
});
