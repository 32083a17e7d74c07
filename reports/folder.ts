import { randomUUID } from 'node:crypto';
import { access, constants, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isRecord } from '../suites/json.ts';
import { kit } from '../suites/kit.ts';
import { makeFolder, whyNotWritten } from '../suites/usage/files.ts';
import { FileRefused, megabyte, readText } from '../suites/usage/read-file.ts';
import { UsageError } from '../suites/usage/usage-error.ts';

/** Every form of a report beside `report.json`, by its file. */
export const otherForms = ['report.html', 'junit.xml', 'ctrf.json', 'summary.md', 'badge.json', 'badge.svg'] as const;

const reportFile = 'report.json';
const previousFile = 'report.previous.json';

/**
 * Folders in which files are written before they are put in place, and files of the same kind: only a killed run leaves
 * any.
 */
const temporary = /^\.tck-[\da-f-]{36}$|\.[\da-f-]{36}\.part$/;

/**
 * Sets the report of an earlier run aside, so that it cannot be taken for the one of a run that ends without any:
 * `report.json` becomes `report.previous.json`, its other forms are removed, and so is what a killed run left. Nothing
 * else is touched, and no folder is made. Throws a UsageError where the report cannot be set aside.
 */
export async function setAsideReport(out: string, cwd: string): Promise<void> {
  const folder = resolve(cwd, out);
  try {
    await sweep(folder);
    if (!(await isOwnReport(join(folder, reportFile)))) return;
    await remove(folder, otherForms);
    await rename(join(folder, reportFile), join(folder, previousFile));
  } catch (error) {
    // Another run has set it aside meanwhile.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw new UsageError(`--out: cannot set the earlier report in '${out}' aside: ${whyNotWritten(error)}`);
  }
}

/**
 * A report that stands where one is to be written to has been set aside: where it is now. Other places stay as they
 * are.
 */
export function setAsidePlace(place: string, folder: string): string {
  return place === folder || place === join(folder, reportFile) ? join(folder, previousFile) : place;
}

/**
 * The path of the folder that `--out` names, made where it is not there. Throws a UsageError where no report can be
 * written to it.
 */
export async function reportFolder(out: string, cwd: string): Promise<string> {
  if (out === '') throw new UsageError('--out: expected a folder, got an empty text');
  const path = resolve(cwd, out);
  try {
    await makeFolder(path);
    await access(path, constants.W_OK);
  } catch (error) {
    throw new UsageError(`--out: cannot write to '${out}': ${whyNotWritten(error)}`);
  }
  for (const name of [...otherForms, reportFile]) {
    const found = await stat(join(path, name)).catch(() => undefined);
    if (found?.isDirectory() === true)
      throw new UsageError(`--out: '${join(out, name)}' is in the way: it is a folder`);
  }
  return path;
}

/**
 * Writes files by name into a folder, all of them or none, the last one last, and returns their paths. They are written
 * beside each other first, so that a full disk or a kill leaves no part of them. Throws a UsageError that says what
 * could not be written.
 */
export async function writeSet(
  folder: string,
  texts: Readonly<Record<string, string>>,
  mode = 0o666,
): Promise<string[]> {
  const names = Object.keys(texts);
  const written = join(folder, `.tck-${randomUUID()}`);
  const placed: string[] = [];
  let name = '';
  try {
    await makeFolder(folder);
    await mkdir(written);
    for (name of names) await writeFile(join(written, name), texts[name] ?? '', { mode });
    for (name of names) {
      await rename(join(written, name), join(folder, name));
      placed.push(name);
    }
  } catch (error) {
    await remove(folder, placed).catch(() => undefined);
    throw new UsageError(`cannot write ${join(folder, name)}: ${whyNotWritten(error)}`);
  } finally {
    await rm(written, { recursive: true, force: true }).catch(() => undefined);
  }
  return names.map((each) => join(folder, each));
}

/**
 * Removes what killed runs left. Where one had begun to put its files in place, those that are there belong to no whole
 * report.
 */
async function sweep(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (!temporary.test(name)) continue;
    const left = await namesIn(join(folder, name));
    const complete = left.includes(reportFile);
    if (complete) {
      await remove(
        folder,
        otherForms.filter((form) => !left.includes(form)),
      );
    }
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
}

async function isOwnReport(path: string): Promise<boolean> {
  const text = await readText(path, 256 * megabyte).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error instanceof FileRefused) return '';
    throw error;
  });
  try {
    const report: unknown = JSON.parse(text);
    return isRecord(report) && isRecord(report.kit) && report.kit.name === kit.name;
  } catch {
    return false;
  }
}

async function remove(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(folder, name), { force: true });
}
