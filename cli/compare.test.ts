import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportJson } from '../reports/json.ts';
import { aFailure, aRequirement, aRun } from '../reports/testing/results.ts';
import { Sink } from '../reports/testing/sink.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { compare } from './compare.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-compare-'));
  await writeFile(join(folder, 'good.json'), reportJson(aRun([aRequirement('headers.beta')])));
  await writeFile(join(folder, 'bad.json'), reportJson(aRun([aFailure('headers.beta')])));
  await writeFile(join(folder, 'other.json'), '{}');
});
afterAll(() => rm(folder, { recursive: true }));

function around(stdout = new Sink()) {
  return { env: {}, cwd: folder, stdout, stderr: new Sink(), hide: () => {}, signal: new AbortController().signal };
}

test('a regression is printed and gives 1, without control characters where there is no terminal', async () => {
  const stdout = new Sink();
  expect(await compare.run(['good.json', 'bad.json'], around(stdout))).toBe(1);
  expect(stdout.text).toContain('✗ headers.beta  passed → failed');
  expect(stdout.text).not.toContain('\u001b');
});

test('the other way round it is a fix, and gives 0', async () => {
  const stdout = new Sink();
  expect(await compare.run(['bad.json', 'good.json'], around(stdout))).toBe(0);
  expect(stdout.text).toContain('no regression, 1 fixed');
});

test.each([
  ['json', /^\{\n {2}"schemaVersion": 1/],
  ['markdown', /^## ❌ 1 regression/],
  ['html', /^<!doctype html>/],
] as const)('it can be printed as %s', async (format, beginning) => {
  const stdout = new Sink();
  await compare.run(['good.json', 'bad.json', '--format', format], around(stdout));
  expect(stdout.text).toMatch(beginning);
});

test('into a folder all forms are written', async () => {
  await compare.run(['good.json', 'bad.json', '--out', 'out'], around());
  expect((await readdir(join(folder, 'out'))).sort()).toEqual(['comparison.html', 'comparison.json', 'comparison.md']);
  expect(JSON.parse(await readFile(join(folder, 'out', 'comparison.json'), 'utf8')).changes.regressions).toHaveLength(
    1,
  );
});

test('a file that is no report, and one that is not there, are named', async () => {
  const wrong = compare.run(['good.json', 'other.json'], around());
  await expect(wrong).rejects.toThrow(UsageError);
  await expect(wrong).rejects.toThrow(/other\.json is not a report of tck run: the file must have required property/);
  await expect(compare.run(['none.json', 'good.json'], around())).rejects.toThrow(/none\.json/);
});
