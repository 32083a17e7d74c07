import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UsageError } from '../suites/usage/usage-error.ts';
import { aFailure, aRequirement, aRun } from '../test/reports/results.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { reportJson } from './json.ts';
import { loadReport } from './load.ts';
import { reportOf } from './report.ts';

const folder = temporaryFolder();

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

test('a report that was written is read, also from its folder, and with members of a later version', async () => {
  const run = aRun([aRequirement('headers.beta')]);
  const path = await file('report.json', reportJson(reportOf(run)));
  for (const place of [path, folder]) expect(await loadReport(place)).toEqual({ ...run, causes: [] });
  const later = await file('later.json', JSON.stringify({ ...aRun([]), mood: 'good' }));
  expect(await loadReport(later)).toMatchObject({ mood: 'good' });
});

test.each([
  ['not-json.json', '{"a": \u001b', /is not JSON/],
  ['other.json', '{"name":"x"}', /is not a report of tck run: the file must have required property/],
  ['array.json', '[]', /the file must be object/],
  ['version.json', JSON.stringify({ ...aRun([]), schemaVersion: 2 }), /schemaVersion must be equal to constant \(1\)/],
  [
    'status.json',
    JSON.stringify({ ...aRun([]), requirements: [{ ...aRequirement('a.b'), status: 'fine' }] }),
    /requirements\.0\.status must be equal to one of the allowed values/,
  ],
])('%s is refused with what is wrong', async (name, text, message) => {
  const path = await file(name, text);
  const error = await loadReport(path).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toContain(path);
  expect(String(error)).toMatch(message);
  expect(String(error)).not.toContain('\u001b');
});

test('a file that is not there is named', async () => {
  const why = /Cannot read the report: '.*none\.json' does not exist/;
  await expect(loadReport(join(folder, 'none.json'))).rejects.toThrow(why);
});

test.each([
  [{ verdict: 'conformant' }, 'verdict is conformant, but its requirements lead to non-conformant'],
  [{ gate: { passed: true, reasons: [] } }, 'gate.passed is true, but'],
  [{ summary: { ...aRun([]).summary, failed: 0 } }, 'summary.failed is 0, but its requirements lead to 1'],
])('a report that contradicts itself is refused: %j', async (change, words) => {
  const path = await file('contradiction.json', JSON.stringify({ ...aRun([aFailure('headers.beta')]), ...change }));
  await expect(loadReport(path)).rejects.toThrow(words);
});
