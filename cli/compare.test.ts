import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { reportJson } from '../reports/json.ts';
import { reportOf } from '../reports/report.ts';
import { aFailure, aRequirement, aRun } from '../test/reports/results.ts';
import { tck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const folder = temporaryFolder();
const compare = (...args: string[]) => tck(['compare', ...args], { cwd: folder });

beforeAll(async () => {
  const good = aRun([aRequirement('headers.beta')]);
  const client = { ...good, target: { ...good.target, kind: 'client' } };
  const runs = { good, client, bad: aRun([aFailure('headers.beta')]) };
  for (const [name, run] of Object.entries(runs))
    await writeFile(join(folder, `${name}.json`), reportJson(reportOf(run)));
  await writeFile(join(folder, 'other.json'), '{}');
});

test('a regression is printed and gives 1, without control characters where there is no terminal', async () => {
  const { code, stdout } = await compare('good.json', 'bad.json');
  expect([code, stdout]).toEqual([1, expect.stringContaining('✗ headers.beta  passed → failed')]);
  expect(stdout).not.toContain('\u001b');
});

test.each([
  [['good.json'], /expected two or more reports/],
  [['good.json', 'client.json'], /cannot compare a client with a deployment: good\.json and client\.json/],
  [['good.json', 'other.json'], /other\.json is not a report of tck run: the file must have required property/],
  [['none.json', 'good.json'], /none\.json/],
])('%j is wrong usage', async (args, message) => {
  expect(await compare(...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
});
