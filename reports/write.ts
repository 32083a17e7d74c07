import { writeSet } from './folder.ts';
import { reportJson } from './json.ts';
import type { Report } from './report.ts';

/**
 * Writes the report of a run in all formats, all files or none, and returns their paths. Creates the folder if
 * necessary. Throws a UsageError if writing fails.
 */
export async function writeReports(report: Report, outDir: string, mode?: number): Promise<string[]> {
  return writeSet(outDir, await forms(report), mode);
}

/**
 * File contents by name. `report.json` is first: if a kill prevents the others, the next run still finds a report to
 * set aside. Loads the formatters on demand, so a run does not wait for them.
 */
async function forms(report: Report): Promise<Record<string, string>> {
  const [{ reportHtml }, { junitXml }, { ctrfJson }, { summaryMarkdown }, { scriptsOf }] = await Promise.all([
    import('./html/page.ts'),
    import('./junit.ts'),
    import('./ctrf.ts'),
    import('./markdown.ts'),
    import('./script.ts'),
  ]);
  return {
    'report.json': reportJson(report),
    'report.html': reportHtml(report),
    'junit.xml': junitXml(report),
    'ctrf.json': ctrfJson(report),
    'summary.md': summaryMarkdown(report),
    ...scriptsOf(report),
  };
}

/**
 * Writes files before the summary is printed. Otherwise a summary could show a passed gate although the command fails.
 * Returns the first error. The caller prints the summary and then throws the error.
 */
export async function writeFirst(writes: readonly (() => Promise<unknown>)[]): Promise<unknown> {
  let failure: unknown;
  for (const write of writes) {
    await write().catch((error: unknown) => {
      failure ??= error;
    });
  }
  return failure;
}
