import type { RunResult } from '../suites/result.ts';
import { removeScripts, writeSet } from './folder.ts';
import { reportJson } from './json.ts';

/**
 * Writes the report of a run in all formats, all files or none, and returns their paths. Creates the folder if
 * necessary. Throws a UsageError if writing fails.
 */
export async function writeReports(result: RunResult, outDir: string, mode?: number): Promise<string[]> {
  const texts = await forms(result);
  const paths = await writeSet(outDir, texts, mode);
  await removeScripts(outDir, Object.keys(texts));
  return paths;
}

/** File contents by name, `report.json` last. Loads the formatters on demand, so a run does not wait for them. */
async function forms(result: RunResult): Promise<Record<string, string>> {
  const [{ reportHtml }, { junitXml }, { ctrfJson }, { summaryMarkdown }, { scriptsOf }] = await Promise.all([
    import('./html/page.ts'),
    import('./junit.ts'),
    import('./ctrf.ts'),
    import('./markdown.ts'),
    import('./script.ts'),
  ]);
  return {
    'report.html': reportHtml(result),
    'junit.xml': junitXml(result),
    'ctrf.json': ctrfJson(result),
    'summary.md': summaryMarkdown(result),
    ...scriptsOf(result),
    'report.json': reportJson(result),
  };
}
