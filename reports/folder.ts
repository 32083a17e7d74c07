import { randomUUID } from 'node:crypto';
import { access, constants, lstat, mkdir, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { member, parsed } from '../suites/json.ts';
import { kit } from '../suites/kit.ts';
import { makeFolder, refuseLink, whyNotWritten } from '../suites/usage/files.ts';
import { codeOf, FileRefused, megabyte, readText } from '../suites/usage/read-file.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { scriptFolder } from './report.ts';

/** Every report file except `report.json`. */
export const otherForms = ['report.html', 'junit.xml', 'ctrf.json', 'summary.md'] as const;

const reportFile = 'report.json';
/** Mode bits added to scripts. */
const executable = 0o100;

const previousFile = 'report.previous.json';

/** Names of temporary folders and files. They remain only if a run is killed. */
const temporary = /^\.tck-[\da-f-]{36}$|\.[\da-f-]{36}\.part$/;

/**
 * Renames `report.json` to `report.previous.json`, so that an earlier report cannot be mistaken for the report of this
 * run. Removes its other formats and the temporary files of killed runs. Changes nothing else and creates no folder.
 * Throws a UsageError if the report cannot be renamed.
 */
export async function setAsideReport(out: string, cwd: string): Promise<void> {
  const folder = resolve(cwd, out);
  try {
    await sweep(folder);
    if (!(await isOwnReport(join(folder, reportFile)))) return;
    await remove(folder, otherForms);
    await removeScripts(folder);
    await rename(join(folder, reportFile), join(folder, previousFile));
  } catch (error) {
    // Another run already renamed the report.
    if (codeOf(error) === 'ENOENT') return;
    throw new UsageError(`--out: cannot set the earlier report in '${out}' aside: ${whyNotWritten(error)}`);
  }
}

/** The new path if the report at this path was renamed. Other paths are unchanged. */
export function setAsidePlace(place: string, folder: string): string {
  return place === folder || place === join(folder, reportFile) ? join(folder, previousFile) : place;
}

/**
 * The path of the folder of `--out`. Creates the folder if it does not exist. Throws a UsageError if no report can be
 * written to the folder.
 */
export async function reportFolder(out: string, cwd: string): Promise<string> {
  if (out === '') throw new UsageError('--out: expected a folder, got an empty value');
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
 * Writes files into a folder, all or none, and returns their paths. Files are first written to a temporary folder, so a
 * full disk or a kill leaves no partial file. Then they replace earlier files in the given order. Throws a UsageError
 * that names the file that could not be written.
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
    for (const inner of new Set(names.map((each) => dirname(each)))) {
      await mkdir(join(written, inner), { recursive: true });
      name = inner;
      if (inner !== '.') await refuseLink(join(folder, inner));
      await makeFolder(join(folder, inner));
    }
    for (name of names) {
      await writeFile(join(written, name), texts[name] ?? '', {
        mode: name.endsWith('.sh') ? mode | executable : mode,
      });
    }
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

/** Removes the scripts of an earlier report. Other files in the folder stay. */
async function removeScripts(folder: string): Promise<void> {
  const inner = join(folder, scriptFolder);
  // The scripts behind a link are somebody else's.
  if ((await lstat(inner).catch(() => undefined))?.isDirectory() !== true) return;
  const names = await namesIn(inner);
  await remove(
    inner,
    names.filter((name) => /^\d+\.sh$/.test(name)),
  );
  // The folder stays if it contains other files.
  await rmdir(inner).catch(() => undefined);
}

/** Removes temporary files of killed runs. */
async function sweep(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (temporary.test(name)) await rm(join(folder, name), { recursive: true, force: true });
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
  return member(parsed(text), 'kit', 'name') === kit.name;
}

async function remove(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(folder, name), { force: true });
}
