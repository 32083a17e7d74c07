import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunResult } from '../suites/result.ts';
import { aRun } from '../test/reports/results.ts';
import { startTck, tck } from '../test/tck.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-merge-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function reportIn(name: string): Promise<RunResult> {
  return JSON.parse(await readFile(join(folder, name, 'report.json'), 'utf8'));
}

const statusesOf = ({ requirements }: RunResult) => requirements.map(({ id, status }) => `${id} ${status}`);

test('three shards at once, merged, say what one run says', { timeout: 120_000 }, async () => {
  const config = join(folder, 'tck.config.json');
  // Three concurrent runs together exceed the default rate limit of a key.
  const stub = startTck(['stub', '--port', '0', '--json', '--rate-limit', '5000', '--write-config', config]);
  await stub.printed('\n');
  const run = (out: string, ...more: string[]) =>
    tck(['run', '--config', config, '--out', join(folder, out), '--no-observe', ...more]);
  const merge = (out: string, ...parts: string[]) => tck(['merge', ...parts, '--out', out], { cwd: folder });

  const shards = await Promise.all([1, 2, 3].map((index) => run(`${index}`, '--shard', `${index}/3`)));
  for (const { code, stdout, stderr } of shards) expect(code, stdout + stderr).toBe(0);
  const whole = await run('whole');
  stub.child.kill('SIGTERM');
  await stub.ended;
  expect(whole.code, whole.stdout).toBe(0);

  const merged = await merge('merged', '1', '2', '3', '--require', 'all');
  expect(merged.code, merged.stdout + merged.stderr).toBe(0);
  expect(merged.stdout).toContain('Verdict: conformant');
  expect(statusesOf(await reportIn('merged'))).toEqual(statusesOf(await reportIn('whole')));
  expect((await readdir(join(folder, 'merged'))).sort()).toEqual((await readdir(join(folder, 'whole'))).sort());

  const less = await merge('less', '1', '3');
  expect(less.code).toBe(3);
  expect(less.stdout).toContain('the report of shard 2/3 is missing');
  expect((await merge('less', '1', '3', '--require', 'all')).code).toBe(1);
  expect(await merge('twice', '1', '1')).toMatchObject({ code: 2, stderr: expect.stringContaining('listed twice') });

  // The output folder contains one of the merged reports.
  const before = await reportIn('1');
  const onto = await merge('1', '1', '2', '3');
  expect(onto.code, onto.stderr).toBe(0);
  expect(statusesOf(await reportIn('1'))).toEqual(statusesOf(await reportIn('whole')));
  await writeFile(join(folder, '1', 'report.json'), JSON.stringify(before));

  const other = await reportIn('2');
  other.document.contractSha256 = '0'.repeat(64);
  await writeFile(join(folder, 'other.json'), JSON.stringify(other));
  expect(await merge('other', '1', 'other.json')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('about different versions of the specification'),
  });
});

test('a merge that fails leaves no report of an earlier one', async () => {
  const out = join(folder, 'stale');
  await mkdir(out);
  await writeFile(join(out, 'report.json'), JSON.stringify({ kit: { name: 'content-workspace-tck' } }));
  expect((await tck(['merge', 'no-such-file.json', '--out', out], { cwd: folder })).code).toBe(2);
  expect(await readdir(out)).toEqual(['report.previous.json']);
});

test.each([
  [['merge'], '<reports> is missing: tck merge <reports..> [options]'],
  [['merge', 'no-such-file.json'], 'no-such-file.json'],
  [['run', '--stub', '--shard', '4/3'], '--shard: expected a part such as 1/3'],
])('%j is wrong usage', async (args, message) => {
  const ended = await tck(args, { cwd: folder });
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});

test.each<[string, Partial<RunResult>]>([
  ['startedAt', { startedAt: '' }],
  ['startedAt', { startedAt: '+999999-01-01T00:00:00Z' }],
  ['startedAt', { startedAt: '2027-13-01T00:00:00.000Z' }],
  ['shard.of', { shard: { index: 1, of: 1e308 } }],
  ['shard.of', { shard: { index: 1, of: 1e9 } }],
])('a report with a hostile %s is refused, not an internal error: %j', async (member, hostile) => {
  await writeFile(join(folder, 'hostile.json'), JSON.stringify({ ...aRun([]), ...hostile }));
  const { code, stderr } = await tck(['merge', 'hostile.json', '--out', 'of-hostile'], { cwd: folder });
  expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([
    2,
    expect.stringContaining(`not a report of tck run: ${member} must`),
  ]);
});
