import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStub } from '../stub/index.ts';
import { startTck, tck } from '../test/tck.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-watch-'));
});

afterAll(() => rm(folder, { recursive: true }));

const timeout = 60_000;

test('when the server is back, it tests what failed and then everything', { timeout }, async () => {
  const broken = createStub({ defects: ['days-empty'] });
  const { baseUrl, port } = await broken.listen({ port: 0 });
  const args = ['run', baseUrl, '--only', 'schedule', '--watch', '--quiet', '--out', join(folder, 'server')];
  const running = startTck(args, { env: { TCK_KEY_PRIMARY: broken.keys.primary } });
  const first = await running.printed('Waiting for');
  expect(first).toContain(`Waiting for a restart of ${baseUrl}.\n`);
  expect(first).not.toContain('Enter:');
  await broken.close();
  await pause(500);
  const stillBroken = createStub({ defects: ['days-empty'] });
  await stillBroken.listen({ port });
  await running.printed('The server is back: testing 1 requirement that failed.\n');
  await running.printed('Waiting for', 2);
  await stillBroken.close();
  await pause(500);
  await using mended = createStub();
  await mended.listen({ port });
  await running.printed('The failed requirements now pass: testing everything.\n');
  await running.printed('Waiting for', 3);
  running.child.kill('SIGINT');
  const { code, stdout, stderr } = await running.ended;
  expect([code, stderr]).toEqual([0, '']);
  const headlines = stdout.split('\n').filter((line) => /tested/.test(line) && !/testing/.test(line));
  expect(headlines).toHaveLength(4);
  expect(stdout).not.toContain(broken.keys.primary);
});

test('a changed, new or removed file starts a run, a file of the report does not', { timeout }, async () => {
  const cwd = join(folder, 'files');
  await mkdir(join(cwd, 'src', 'node_modules'), { recursive: true });
  await writeFile(join(cwd, 'src', 'server.js'), '');
  const args = ['run', '--stub', '--only', 'schedule', '--quiet', '--watch', '--watch-files', '**/*.{js,json}'];
  const running = startTck(args, { cwd });
  expect(await running.printed('Waiting for')).toContain('Waiting for a change of **/*.{js,json}.\n');
  await writeFile(join(cwd, 'src', 'node_modules', 'other.js'), '');
  await writeFile(join(cwd, 'tck-report', 'other.json'), '');
  await writeFile(join(cwd, 'src', 'server.js'), '// changed');
  await running.printed('src/server.js changed: testing everything.\n');
  await running.printed('Waiting for', 2);
  await writeFile(join(cwd, 'src', 'new.js'), '');
  await running.printed('src/new.js changed');
  await running.printed('Waiting for', 3);
  await rm(join(cwd, 'src', 'server.js'));
  await running.printed('src/server.js changed', 2);
  running.child.kill('SIGTERM');
  const { code, stdout } = await running.ended;
  expect(stdout).not.toContain('other');
  // The signal arrives during a run or after it.
  expect([0, 3]).toContain(code);
});

const hasTerminal = spawnSync('script', ['--version']).status === 0;

test.skipIf(!hasTerminal)('keys start runs at a terminal (skipped without script)', { timeout }, async () => {
  await using stub = createStub({ defects: ['days-empty'] });
  const { baseUrl } = await stub.listen({ port: 0 });
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const line = [process.execPath, main, 'run', baseUrl, '--only', 'schedule', '--watch', '--quiet', '--out', folder];
  const child = spawn('script', ['-qfec', line.join(' '), '/dev/null'], {
    env: { PATH: process.env.PATH, TCK_KEY_PRIMARY: stub.keys.primary },
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk).replaceAll('\r', '');
  });
  const shows = (pattern: RegExp) => expect.poll(() => output, { timeout: 30_000 }).toMatch(pattern);
  const keys = 'Enter: test again   f: what failed last   a: everything   q: quit';
  await shows(new RegExp(`Waiting for a key or a restart of .*\n${keys}`));
  child.stdin.write('xa');
  await shows(new RegExp(`testing everything[^]*${keys}`));
  child.stdin.write('f');
  await shows(new RegExp(`testing 1 requirement that failed[^]*${keys}`));
  child.stdin.write('\r');
  await shows(new RegExp(`(testing 1 requirement that failed[^]*){2}${keys}`));
  child.stdin.write('q');
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(1);
});

test.each([
  [['--stub', '--watch'], '--watch: expected a terminal, the URL of a server, or --watch-files'],
  [
    ['--stub', '--watch', '--watch-files', 'none/*'],
    "--watch-files: expected a pattern that matches files, got 'none/*'",
  ],
  [['--stub', '--watch-files', '*'], '--watch-files: expected only with --watch'],
])('%j is refused', async (args, message) => {
  const { code, stdout, stderr } = await tck(['run', ...args], { cwd: folder });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
});
