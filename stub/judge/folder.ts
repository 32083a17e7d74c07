import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Folders of tools. Their files are not state of a client. */
const ofTools = /^(\..*|node_modules|target|__pycache__|venv|vendor|tck-report)$/;
/** Larger folders are no working folders of a client, and their comparison would take too long. */
const mostEntries = 3000;
/** Larger files are no notes of a client, and their search for keys would take too long. */
const mostBytes = 1_000_000;

/** Modification times of the files in a working folder and in its direct subfolders. */
export type Files = ReadonlyMap<string, number>;

/** Returns the files of a folder; undefined if there are too many. */
export async function filesIn(folder: string): Promise<Files | undefined> {
  const files = new Map<string, number>();
  const add = async (under: string): Promise<void> => {
    // The time of a folder shows files that were removed.
    files.set(under || '.', (await stat(join(folder, under))).mtimeMs);
    for (const entry of await readdir(join(folder, under), { withFileTypes: true })) {
      const path = join(under, entry.name);
      if (files.size > mostEntries) return;
      if (entry.isFile()) files.set(path, (await stat(join(folder, path))).mtimeMs);
      else if (entry.isDirectory() && under === '' && !ofTools.test(entry.name)) await add(path);
    }
  };
  await add('').catch(() => undefined);
  return files.size > mostEntries ? undefined : files;
}

/** Returns the files that a client wrote between two looks at its folder. */
export function written(before: Files | undefined, after: Files | undefined): string[] {
  if (before === undefined || after === undefined) return [];
  return [...after].filter(([path, time]) => before.get(path) !== time).map(([path]) => path);
}

/** Returns the written files whose text `hasKey`. */
export async function filesWithKeys(folder: string, paths: readonly string[], hasKey: (text: string) => boolean) {
  const withKey: string[] = [];
  for (const path of paths) {
    const file = join(folder, path);
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile() === true && found.size <= mostBytes && hasKey(await readFile(file, 'latin1')))
      withKey.push(path);
  }
  return withKey;
}

/** A copy of a working folder, without the files that the client wrote in its first run. */
export async function copyOf(folder: string, before: Files, wrote: readonly string[]) {
  const copy = await mkdtemp(join(tmpdir(), 'tck-judge-'));
  const isNew = (path: string) => wrote.includes(path) && !before.has(path);
  const put = async (under: string): Promise<void> => {
    for (const entry of await readdir(join(folder, under), { withFileTypes: true })) {
      const path = join(under, entry.name);
      const [from, to] = [resolve(folder, path), join(copy, path)];
      const isChanged = wrote.some((file) => file === path || file.startsWith(`${path}/`));
      if (entry.isDirectory() && isChanged) await mkdir(to).then(() => put(path));
      else if (!entry.isFile()) await symlink(from, to, 'junction');
      else if (!isNew(path)) await copyFile(from, to);
    }
  };
  await put('');
  return { path: copy, [Symbol.asyncDispose]: () => rm(copy, { recursive: true, force: true }) };
}
