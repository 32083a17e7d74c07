import { access, constants } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { RunResult } from '../suites/result.ts';
import { makeFolder, whyNotWritten, writeWhole } from '../suites/usage/files.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { groupFindings } from './findings.ts';
import type { Reference } from './html/reference.ts';
import { reportJson } from './json.ts';

export interface WriteOptions {
  /** Where the page's comparison with the reference comes from; without it the page leaves it out. */
  reference?: Reference;
}

/**
 * Writes every form of a run's report into a folder, which is made if it is not there, and gives the files' paths.
 * Throws a UsageError when the folder cannot be written to.
 */
export async function writeReports(result: RunResult, outDir: string, options: WriteOptions = {}): Promise<string[]> {
  return writeAll(outDir, await forms(result, options));
}

/** The forms by file name. What writes them is loaded when it is needed: a run does not wait for it. */
async function forms(result: RunResult, options: WriteOptions): Promise<Record<string, string>> {
  const [{ reportHtml }, { askReference }, { junitXml }, { ctrfJson }, { summaryMarkdown }, badge] = await Promise.all([
    import('./html/page.ts'),
    import('./html/reference.ts'),
    import('./junit.ts'),
    import('./ctrf.ts'),
    import('./markdown.ts'),
    import('./badge.ts'),
  ]);
  const answers = await askReference(options.reference, groupFindings(result), result.exchanges);
  return {
    'report.html': reportHtml(result, answers),
    'report.json': reportJson(result),
    'junit.xml': junitXml(result),
    'ctrf.json': ctrfJson(result),
    'summary.md': summaryMarkdown(result),
    'badge.json': badge.badgeJson(result),
    'badge.svg': badge.badgeSvg(result),
  };
}

/** The path of the folder that `--out` names, made where it is not there. Throws a UsageError where no files can be written to it. */
export async function reportFolder(out: string, cwd: string): Promise<string> {
  if (out === '') throw new UsageError('--out: expected a folder, found an empty text');
  const path = resolve(cwd, out);
  try {
    await makeFolder(path);
    await access(path, constants.W_OK);
  } catch (error) {
    throw new UsageError(`--out: cannot write to '${out}': ${whyNotWritten(error)}`);
  }
  return path;
}

/**
 * Writes texts by file name into a folder, each whole or not at all, and gives their paths. Throws a UsageError that names those
 * which could not be written; the others are there.
 */
export async function writeAll(folder: string, texts: Record<string, string>): Promise<string[]> {
  await makeFolder(folder).catch((error: unknown) => {
    throw new UsageError(`Cannot write the report to ${folder}: ${whyNotWritten(error)}`);
  });
  const faults: string[] = [];
  const paths = Object.keys(texts).map((name) => join(folder, name));
  await Promise.all(
    Object.values(texts).map((text, index) =>
      writeWhole(paths[index] ?? '', text).catch((error: unknown) => {
        faults.push(`${paths[index]}: ${whyNotWritten(error)}`);
      }),
    ),
  );
  if (faults.length > 0) throw new UsageError(`Cannot write ${faults.toSorted().join('; ')}`);
  return paths;
}
