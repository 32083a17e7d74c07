import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportJson } from '../reports/json.ts';
import type { RunResult } from '../suites/result.ts';
import { aFailure, aRequirement, aRun } from '../test/reports/results.ts';
import { Sink } from '../test/reports/sink.ts';
import { history } from './history.ts';

let folder = '';
const [requests, durationMs] = [99, 1500];
const first = aRun([aFailure('headers.beta'), aRequirement('credits.balance')], {
  startedAt: '2026-01-01T09:00:00.000Z',
  target: { ...aRun([]).target, label: '1.40' },
});
const second = aRun([aRequirement('headers.beta'), aRequirement('credits.balance')], {
  startedAt: '2026-02-01T09:00:00.000Z',
  target: { ...aRun([]).target, label: '1.41', allow: [] },
  durationMs,
});

async function written(place: string, run: RunResult): Promise<void> {
  await mkdir(join(folder, place), { recursive: true });
  const { summary } = run;
  await writeFile(join(folder, place, 'report.json'), reportJson({ ...run, summary: { ...summary, requests } }));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-history-'));
  await written('releases/b', second);
  await written('releases/a/tck-report', first);
  await mkdir(join(folder, 'empty'));
});
afterAll(() => rm(folder, { recursive: true }));

async function shown(...args: string[]): Promise<string> {
  const stdout = new Sink();
  const { signal } = new AbortController();
  expect(await history.run(args, { env: {}, cwd: folder, stdout, stderr: new Sink(), hide: () => {}, signal })).toBe(0);
  return stdout.text;
}

test('a line for each report below a folder, the oldest first, with what changed', async () => {
  const lines = (await shown('releases')).split('\n');
  expect(lines[0]).toBe('2 runs: from 1 cause to 0');
  expect(lines[3]).toMatch(/^1 +2026-01-01 09:00 +1\.40 +1 +– +– +1 +2 of 2 +0\.8 s +99$/);
  expect(lines[4]).toMatch(/^2 +2026-02-01 09:00 +1\.41 +0 +0 +1 +0 +2 of 2 +1\.5 s +99$/);
  expect(lines.join(' ')).toContain('run 2: the two runs had different scopes, only before: side effect proposals');
});

test('the page and the file for programs are written to --out', async () => {
  await shown('releases/b', 'releases/a', '--out', 'made');
  expect((await readdir(join(folder, 'made'))).sort()).toEqual(['history.html', 'history.json']);
  const page = await readFile(join(folder, 'made/history.html'), 'utf8');
  expect(page).toContain('aria-label="Causes by run. run 1: 1, run 2: 0."');
  expect(page).toContain('Warning: run 2: the two runs had different scopes');
  const { runs } = JSON.parse(await readFile(join(folder, 'made/history.json'), 'utf8'));
  expect(runs).toMatchObject([
    { label: '1.40', causes: 1, requests: 99 },
    { label: '1.41', causes: 0, gone: 1, durationMs: 1500 },
  ]);
});

test('a folder without a report is wrong usage, and so is a client among deployments', async () => {
  await expect(shown('empty')).rejects.toThrow(/^reports: '.*empty' has no report\.json in it or below it$/);
  const client = aRun([aRequirement('headers.beta')]);
  await written('client', { ...client, target: { ...client.target, kind: 'client' } });
  await expect(shown('releases', 'client')).rejects.toThrow('cannot compare a client with a deployment');
});
