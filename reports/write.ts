import { causesOf } from '../suites/causes/causes.ts';
import type { RunResult } from '../suites/result.ts';
import { removeScripts, writeSet } from './folder.ts';
import type { Reference } from './html/reference.ts';
import { reportJson } from './json.ts';

export interface WriteOptions {
  /** Source of reference responses for the page. Without it, the page has no comparison. */
  reference?: Reference;
  mode?: number;
}

/**
 * Writes the report of a run in all formats, all files or none, and returns their paths. Creates the folder if
 * necessary. Throws a UsageError if writing fails.
 */
export async function writeReports(result: RunResult, outDir: string, options: WriteOptions = {}): Promise<string[]> {
  const texts = await forms(result, options);
  const paths = await writeSet(outDir, texts, options.mode);
  await removeScripts(outDir, Object.keys(texts));
  return paths;
}

/** File contents by name, `report.json` last. Loads the formatters on demand, so a run does not wait for them. */
async function forms(result: RunResult, options: WriteOptions): Promise<Record<string, string>> {
  const [
    { reportHtml },
    { askReference },
    { junitXml },
    { ctrfJson },
    { earlJson },
    { summaryMarkdown },
    badge,
    { scriptsOf },
  ] = await Promise.all([
    import('./html/page.ts'),
    import('./html/reference.ts'),
    import('./junit.ts'),
    import('./ctrf.ts'),
    import('./earl.ts'),
    import('./markdown.ts'),
    import('./badge.ts'),
    import('./reproduction/scripts.ts'),
  ]);
  const answers = await askReference(options.reference, causesOf(result), result.exchanges);
  return {
    'report.html': reportHtml(result, answers),
    'junit.xml': junitXml(result),
    'ctrf.json': ctrfJson(result),
    'earl.jsonld': earlJson(result),
    'summary.md': summaryMarkdown(result),
    'badge.json': badge.badgeJson(result),
    'badge.svg': badge.badgeSvg(result),
    ...scriptsOf(result),
    'report.json': reportJson(result),
  };
}
