import {
  access,
  chmod,
  constants,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { UsageError } from '../suites/usage/usage-error.ts';
import { reportForms } from '../test/report-forms.ts';
import { aFailure, aRun } from '../test/reports/results.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { otherForms, reportFolder, setAsidePlace, setAsideReport, writeSet } from './folder.ts';
import { reportOf } from './report.ts';
import { writeReports } from './write.ts';

const parent = temporaryFolder();
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(parent, 'out-'));
});

const names = async () => (await readdir(folder)).sort();
const uuid = '01234567-89ab-cdef-0123-456789abcdef';

test('an earlier report is renamed; its other files are removed, and nothing else', async () => {
  await writeReports(reportOf(aRun([])), folder);
  expect(await names()).toEqual(reportForms);
  const written = await readFile(join(folder, 'report.json'), 'utf8');
  await writeFile(join(folder, 'notes.txt'), 'mine');
  await writeFile(join(folder, 'known-failures.yaml'), '[]');
  await setAsideReport(folder, parent);
  expect(await names()).toEqual(['known-failures.yaml', 'notes.txt', 'report.previous.json']);
  expect(await readFile(join(folder, 'report.previous.json'), 'utf8')).toBe(written);
  expect(setAsidePlace(folder, folder)).toBe(join(folder, 'report.previous.json'));
  expect(setAsidePlace(parent, folder)).toBe(parent);
});

test.each(['{"kit":{"name":"another"}}', '{"kit":', '[]', ''])('a report.json that holds %j stays', async (text) => {
  await writeFile(join(folder, 'report.json'), text);
  await writeFile(join(folder, 'junit.xml'), 'of another tool');
  await setAsideReport(folder, parent);
  expect(await names()).toEqual(['junit.xml', 'report.json']);
});

test('without an earlier report there is nothing to do, and no folder is made', async () => {
  await setAsideReport('not-there', folder);
  await setAsideReport('/dev/null/deep', folder);
  expect(await names()).toEqual([]);
});

test('what a run left that was killed while it wrote is removed, and what it had put in place', async () => {
  const left = join(folder, `.tck-${uuid}`);
  await mkdir(left);
  await writeFile(join(left, 'report.html'), 'half');
  await writeFile(join(folder, `known-failures.yaml.${uuid}.part`), 'half');
  await writeFile(join(folder, 'junit.xml'), 'of another tool');
  await setAsideReport(folder, parent);
  expect(await names()).toEqual(['junit.xml']);
  await writeReports(reportOf(aRun([])), folder);
  await mkdir(left);
  await rename(join(folder, 'summary.md'), join(left, 'summary.md'));
  await setAsideReport(folder, parent);
  expect(await names()).toEqual(['report.previous.json']);
});

test('all files of a set are written, or none', async () => {
  const paths = ['a.txt', 'b.txt'].map((name) => join(folder, name));
  expect(await writeSet(folder, { 'a.txt': 'a', 'b.txt': 'b' })).toEqual(paths);
  await rm(join(folder, 'a.txt'));
  await mkdir(join(folder, 'c.txt', 'taken'), { recursive: true });
  const failing = writeSet(folder, { 'a.txt': 'a', 'c.txt': 'c', 'd.txt': 'd' });
  await expect(failing).rejects.toThrow(UsageError);
  await expect(failing).rejects.toThrow(/^cannot write \S+\/c\.txt: E[A-Z]+: [^/]*$/);
  expect(await names()).toEqual(['b.txt', 'c.txt']);
});

test.each([...otherForms, 'report.json'])(
  'a folder in the place of %s is told before anything is sent',
  async (name) => {
    await mkdir(join(folder, name));
    await expect(reportFolder(folder, parent)).rejects.toThrow(`${name}' is in the way: it is a folder`);
  },
);

test.skipIf(process.getuid?.() === 0)(
  'a report that cannot be set aside is a matter of usage (needs a user other than root)',
  async () => {
    await writeReports(reportOf(aRun([])), folder);
    await chmod(folder, 0o555);
    const why = /^--out: cannot set the earlier report in '.*' aside: E/;
    await expect(setAsideReport(folder, parent)).rejects.toThrow(why);
    await chmod(folder, 0o755);
  },
);

test('scripts stand in a folder of their own and can be run; those of an earlier report are removed', async () => {
  const failing = reportOf(aRun([aFailure('headers.beta')]));
  expect(await writeReports(failing, folder)).toContain(join(folder, 'repro/1.sh'));
  await access(join(folder, 'repro/1.sh'), constants.X_OK);
  await writeFile(join(folder, 'repro/notes.txt'), 'mine');
  await setAsideReport(folder, parent);
  expect(await readdir(join(folder, 'repro'))).toEqual(['notes.txt']);
  await rm(join(folder, 'repro/notes.txt'));
  await writeReports(failing, folder);
  await setAsideReport(folder, parent);
  expect(await names()).toEqual(['report.previous.json']);
});

test('a link in the place of the scripts is not followed', async () => {
  const elsewhere = join(parent, 'elsewhere');
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, '1.sh'), 'mine');
  await symlink(elsewhere, join(folder, 'repro'));
  await expect(writeSet(folder, { 'repro/1.sh': 'x', 'report.json': '{}' })).rejects.toThrow('it is a link');
  await writeReports(reportOf(aRun([])), folder);
  await setAsideReport(folder, parent);
  expect(await readFile(join(elsewhere, '1.sh'), 'utf8')).toBe('mine');
});
