import type { RunResult } from '../suites/result.ts';
import { groupFindings } from './findings.ts';
import { writeSet } from './folder.ts';
import type { Reference } from './html/reference.ts';
import { reportJson } from './json.ts';

export interface WriteOptions {
  /** Where the page's comparison with the reference comes from; without it the page leaves it out. */
  reference?: Reference;
  /** The mode of the files. */
  mode?: number;
}

/**
 * Writes every form of a run's report into a folder, which is made if it is not there, and returns the paths of the
 * files: all are written, or none. Throws a UsageError where they cannot be written.
 */
export async function writeReports(result: RunResult, outDir: string, options: WriteOptions = {}): Promise<string[]> {
  return writeSet(outDir, await forms(result, options), options.mode);
}

/**
 * The forms by file name, `report.json` last. What writes them is loaded when it is needed: a run does not wait for it.
 */
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
    'junit.xml': junitXml(result),
    'ctrf.json': ctrfJson(result),
    'summary.md': summaryMarkdown(result),
    'badge.json': badge.badgeJson(result),
    'badge.svg': badge.badgeSvg(result),
    'report.json': reportJson(result),
  };
}
