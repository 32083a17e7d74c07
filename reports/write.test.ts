import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UsageError } from '../suites/usage/usage-error.ts';
import { reportForms } from '../test/report-forms.ts';
import { aRun, manyRequirements } from '../test/reports/results.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { reportOf } from './report.ts';
import { writeReports } from './write.ts';

const folder = temporaryFolder();

test('all forms are written, into a folder that is made for them', async () => {
  const out = join(folder, 'new', 'deep');
  const paths = await writeReports(reportOf(aRun(manyRequirements(9))), out);
  expect((await readdir(out)).sort()).toEqual(reportForms);
  expect(paths.map((path) => path.slice(out.length + 1)).sort()).toEqual(reportForms);
});

test('a folder that cannot be made is a matter of usage, and named', async () => {
  const file = join(folder, 'a-file');
  await writeFile(file, '');
  const failing = writeReports(reportOf(aRun([])), join(file, 'out'));
  await expect(failing).rejects.toThrow(UsageError);
  await expect(failing).rejects.toThrow(/^cannot write \S*a-file\/out\S*: E[A-Z]+: [^/]*$/);
});
