import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../fixtures/usage-error.ts';
import type { RunResult } from '../suites/result.ts';
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

/** Writes texts by file name into a folder. Throws a UsageError when that is not possible. */
export async function writeAll(folder: string, texts: Record<string, string>): Promise<string[]> {
  try {
    await mkdir(folder, { recursive: true });
    return await Promise.all(
      Object.entries(texts).map(async ([name, text]) => {
        const path = join(folder, name);
        await writeFile(path, text);
        return path;
      }),
    );
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`Cannot write the report to ${folder}: ${why}`);
  }
}
