import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UsageError } from '../suites/usage/usage-error.ts';
import { reportForms } from '../test/report-forms.ts';
import { aRun, manyRequirements } from '../test/reports/results.ts';
import { oneFinding, usual } from '../test/reports/scenarios.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { loadReport } from './load.ts';
import { reportOf } from './report.ts';
import { writeReports } from './write.ts';

const folder = temporaryFolder();

test('all forms are written, into a folder that is made for them', async () => {
  const out = join(folder, 'new', 'deep');
  const paths = await writeReports(reportOf(aRun(manyRequirements(9))), out);
  expect((await readdir(out)).sort()).toEqual(reportForms);
  expect(paths.map((path) => path.slice(out.length + 1)).sort()).toEqual(reportForms);
});

test('the same run gives the same files', async () => {
  const outs = [join(folder, 'one'), join(folder, 'two')];
  for (const out of outs) await writeReports(reportOf(oneFinding()), out);
  for (const form of reportForms) {
    const [one, two] = await Promise.all(outs.map((out) => readFile(join(out, form), 'utf8')));
    expect(one).toBe(two);
  }
});

test('what was written can be read', async () => {
  const out = join(folder, 'read');
  await writeReports(reportOf(oneFinding()), out);
  expect((await loadReport(out)).summary).toEqual(oneFinding().summary);
});

test('a folder that cannot be made is a matter of usage, and named', async () => {
  const file = join(folder, 'a-file');
  await writeFile(file, '');
  const failing = writeReports(reportOf(aRun([])), join(file, 'out'));
  await expect(failing).rejects.toThrow(UsageError);
  await expect(failing).rejects.toThrow(/^cannot write \S*a-file\/out\S*: E[A-Z]+: [^/]*$/);
});

test('a usual run is written quickly', async () => {
  const run = usual();
  await writeReports(reportOf(run), join(folder, 'warm'));
  const started = performance.now();
  await writeReports(reportOf(run), join(folder, 'timed'));
  // The goal is 150 ms, which the benchmark measures. The limit allows for other load on the machine.
  expect(performance.now() - started).toBeLessThan(600);
});
