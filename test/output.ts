import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { RunResult, Status } from '../suites/result.ts';

/** Reads the report in an output folder. */
export async function reportIn(folder: string): Promise<RunResult> {
  return JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
}

/** Returns the IDs of the requirements with one of the statuses. */
export const idsWith = ({ requirements }: Pick<RunResult, 'requirements'>, ...statuses: Status[]): string[] =>
  requirements.filter(({ status }) => statuses.includes(status)).map(({ id }) => id);

/** Reads all files below a folder, and returns their texts by path. */
export async function textsIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const texts = paths.sort().map(async (path) => [relative(folder, path), await readFile(path, 'utf8')] as const);
  return Object.fromEntries(await Promise.all(texts));
}
