import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { reportJson } from '../reports/json.ts';
import { reportOf } from '../reports/report.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { aFailure, aRequirement, aRun } from '../test/reports/results.ts';
import { Sink } from '../test/reports/sink.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { compare } from './compare.ts';

const folder = temporaryFolder();

beforeAll(async () => {
  await writeFile(join(folder, 'good.json'), reportJson(reportOf(aRun([aRequirement('headers.beta')]))));
  await writeFile(join(folder, 'bad.json'), reportJson(reportOf(aRun([aFailure('headers.beta')]))));
  await writeFile(join(folder, 'other.json'), '{}');
});
function around(stdout = new Sink()) {
  return { env: {}, cwd: folder, stdout, stderr: new Sink(), hide: () => {}, signal: new AbortController().signal };
}

test('a regression is printed and gives 1, without control characters where there is no terminal', async () => {
  const stdout = new Sink();
  expect(await compare.run(['good.json', 'bad.json'], around(stdout))).toBe(1);
  expect(stdout.text).toContain('✗ headers.beta  passed → failed');
  expect(stdout.text).not.toContain('\u001b');
});

test('a client is not compared with a deployment, and one report is not enough', async () => {
  await expect(compare.run(['good.json'], around())).rejects.toThrow('expected two or more reports');
  const client = aRun([aRequirement('headers.beta')]);
  await writeFile(
    join(folder, 'client.json'),
    reportJson(reportOf({ ...client, target: { ...client.target, kind: 'client' } })),
  );
  const refused = compare.run(['good.json', 'client.json'], around());
  await expect(refused).rejects.toThrow('cannot compare a client with a deployment: good.json and client.json');
});

test.each([
  ['json', /^\{\n {2}"schemaVersion": 1/],
  ['md', /^## ❌ Conformance: 1 new cause; 1 regression/],
  ['html', /^<!doctype html>/],
] as const)('--out writes it as %s', async (form, beginning) => {
  await compare.run(['good.json', 'bad.json', '--out', 'compared'], around(new Sink()));
  expect(await readFile(join(folder, 'compared', `comparison.${form}`), 'utf8')).toMatch(beginning);
});

test('into a folder all forms are written', async () => {
  await compare.run(['good.json', 'bad.json', '--out', 'out'], around());
  expect((await readdir(join(folder, 'out'))).sort()).toEqual(['comparison.html', 'comparison.json', 'comparison.md']);
  const { rows } = JSON.parse(await readFile(join(folder, 'out', 'comparison.json'), 'utf8'));
  expect(rows).toMatchObject([{ id: 'headers.beta', statuses: ['passed', 'failed'] }]);
});

test('a file that is no report, and one that is not there, are named', async () => {
  const wrong = compare.run(['good.json', 'other.json'], around());
  await expect(wrong).rejects.toThrow(UsageError);
  await expect(wrong).rejects.toThrow(/other\.json is not a report of tck run: the file must have required property/);
  await expect(compare.run(['none.json', 'good.json'], around())).rejects.toThrow(/none\.json/);
});
