import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kit } from './fixtures/kit.ts';
import { requirements } from './fixtures/requirements/index.ts';
import type { RunResult } from './suites/result.ts';
import { startTck, tck } from './suites/testing/tck.ts';

test('tck --version and tck --help', async () => {
  const [version, help] = await Promise.all([tck(['--version']), tck(['--help'])]);
  expect(version).toEqual({ code: 0, stdout: `${kit.version}\n`, stderr: '' });
  expect(help.code).toBe(0);
  for (const command of ['run', 'stub', 'list', 'describe', 'init', 'compare'])
    expect(help.stdout).toContain(`tck ${command}`);
});

test.concurrent.each<[string, string]>([
  ['stub', 'tck stub [options] [-- <command>]\n\nStarts the reference stub'],
  ['judge', 'tck judge [options] -- <command>\n\nJudges a client'],
])('tck %s --help shows where a command stands', async (command, usage) => {
  const { code, stdout } = await tck([command, '--help']);
  expect(code).toBe(0);
  expect(stdout).toContain(usage);
  expect(stdout).toContain('--seed');
});

test.concurrent.each<[string[], string]>([
  [[], 'a command is missing: tck --help lists them'],
  [['rnu'], "no such command; did you mean 'run'?"],
  [['stub', '--prot', '1'], "no such option here: --prot; did you mean '--port'?"],
  [['stub', '--port', 'x'], "--port: expected one whole number from 0 to 65535, found 'x'"],
  [['stub', '--host', 'a', '--host', 'b'], '--host: expected once, found 2 times'],
  [['stub', '--host'], 'Not enough arguments following: host'],
  [['describe', 'everything'], "more than was expected: 'everything'; tck describe --help shows what may stand there"],
  [['stub', '--'], 'nothing follows --: tck stub -- <command>'],
  [['judge', '--seed', '2', '--'], 'nothing follows --: tck judge -- <command>'],
  [['describe', '--'], 'nothing follows --'],
  [['frobnicate'], "no such command: 'frobnicate'; tck --help lists them"],
])('wrong usage %j is told in one line, with exit code 2', async (args, message) => {
  const { code, stdout, stderr } = await tck(args);
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `tck: ${message}\n` });
});

test('tck describe prints the published description', async () => {
  const { code, stdout } = await tck(['describe']);
  expect(code).toBe(0);
  expect(stdout).toBe(await readFile(new URL('fixtures/contract/openapi.json', import.meta.url), 'utf8'));
});

test('tck list shows every requirement, and as JSON what each check needs', async () => {
  const [text, json] = await Promise.all([tck(['list']), tck(['list', '--json'])]);
  const listed: { id: string; checks: { needs: { roles: string[] } }[] }[] = JSON.parse(json.stdout);
  expect(listed).toHaveLength(requirements.length);
  for (const { id, checks } of listed) {
    expect(text.stdout).toContain(`  ${id}  (`);
    expect(checks.length, id).toBeGreaterThan(0);
  }
});

test('tck compare tells a regression with 1, and what is no report with 2', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tck-compare-'));
  const [good, bad] = [join(folder, 'good'), join(folder, 'bad')];
  await tck(['run', '--stub', '--only', 'schedule', '--out', good]);
  const report: RunResult = JSON.parse(await readFile(join(good, 'report.json'), 'utf8'));
  const requirements = report.requirements.map((one) =>
    one.id === 'schedule.days' ? { ...one, status: 'failed' } : one,
  );
  await mkdir(bad);
  await writeFile(join(bad, 'report.json'), JSON.stringify({ ...report, requirements }));
  const [same, worse, none] = await Promise.all([
    tck(['compare', good, good]),
    tck(['compare', good, bad, '--format', 'json']),
    tck(['compare', good, join(folder, 'none')]),
  ]);
  expect([same.code, worse.code, none.code]).toEqual([0, 1, 2]);
  expect(JSON.parse(worse.stdout).changes.regressions).toHaveLength(1);
  await rm(folder, { recursive: true });
});

test('a reader that goes away does no harm', async () => {
  const { child, ended } = startTck(['describe']);
  child.stdout?.destroy();
  const { code, stderr } = await ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test.each(['SIGINT', 'SIGTERM'] as const)('tck stub says where it listens, and stops on %s', async (signal) => {
  const stub = startTck(['stub', '--port', '0', '--json']);
  const { baseUrl, keys } = JSON.parse(await stub.printed('\n'));
  const answer = await fetch(`${baseUrl}/api/v1/tools/credits.balance`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.primary}` },
  });
  expect(await answer.json()).toMatchObject({ ok: true });
  stub.child.kill(signal);
  expect((await stub.ended).code).toBe(0);
});
