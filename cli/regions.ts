import { join, resolve } from 'node:path';
import { exitCodeOfRun } from '../reports/exit-code.ts';
import { headlineOf } from '../reports/figures.ts';
import { reportFolder, setAsideReport, writeSet } from '../reports/folder.ts';
import { safeJson } from '../reports/json.ts';
import { plain } from '../reports/plain.ts';
import { lookOf } from '../reports/terminal/look.ts';
import { renderSummary } from '../reports/terminal/summary.ts';
import { writeReports } from '../reports/write.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import type { Surroundings } from './process/surroundings.ts';
import { writeMetrics } from './write-metrics.ts';

/** The options of `tck run` that matter for regions. */
interface RegionOptions {
  readonly url: string | undefined;
  readonly config: string | undefined;
  readonly stub: boolean;
  readonly image: string | undefined;
  readonly out: string;
  readonly label: string | undefined;
  readonly require: readonly string[] | undefined;
  readonly metrics: string | undefined;
  readonly quiet: boolean;
  readonly shard: string | undefined;
  readonly har: string | undefined;
  readonly baseline: string | undefined;
  readonly lastFailed: boolean;
  readonly updateKnownFailures: boolean;
}

/** Options that are about one report, so they do not fit a run with several. */
const ofOneReport = {
  shard: '--shard',
  har: '--har',
  baseline: '--baseline',
  lastFailed: '--last-failed',
  updateKnownFailures: '--update-known-failures',
} as const;

type Regions = Readonly<Record<string, string>>;

/** Base URLs of the regions by name. Undefined if the run tests one deployment. */
export async function regionsOf(given: RegionOptions, cwd: string): Promise<Regions | undefined> {
  const { url, config: path, stub, image } = given;
  if (path === undefined || url !== undefined || stub || image !== undefined) return undefined;
  const { readConfigFile } = await import('../suites/target/config-file.ts');
  const { config } = await readConfigFile(path, cwd);
  return config.regions;
}

/**
 * Tests each region with `test`, one after the other, and writes a report of each into a folder with its name. Merges
 * the reports, compares them in a matrix, and returns the exit code of the merged report.
 */
export async function testRegions<Options extends RegionOptions>(
  regions: Regions,
  given: Options,
  around: Surroundings,
  test: (options: Options) => Promise<number>,
): Promise<number> {
  for (const [name, option] of Object.entries(ofOneReport)) {
    if (given[name as keyof typeof ofOneReport] === undefined || given[name as keyof typeof ofOneReport] === false)
      continue;
    throw new UsageError(`${option}: expected without "regions" in the configuration; pass the URL of one region`);
  }
  const folder = await reportFolder(given.out, around.cwd);
  const places: string[] = [];
  for (const [name, url] of Object.entries(regions)) {
    const out = join(given.out, name);
    await setAsideReport(out, around.cwd);
    if (!given.quiet) around.stdout.write(`Region ${name}: ${plain(url)}\n\n`);
    const label = given.label === undefined ? name : `${given.label}, ${name}`;
    await test({ ...given, url, out, label, metrics: undefined });
    if (!given.quiet) around.stdout.write('\n');
    places.push(resolve(around.cwd, out));
  }
  return concluded(places, folder, given, around);
}

/** Writes the merged report and the matrix, and prints both. */
async function concluded(
  places: readonly string[],
  folder: string,
  { out, require, metrics, quiet }: RegionOptions,
  around: Surroundings,
): Promise<number> {
  const [{ loadReports }, { mergedReport }, { matrixOf }, { matrixHtml }, { renderMatrix }] = await Promise.all([
    import('../reports/load.ts'),
    import('./merge.ts'),
    import('../reports/matrix/model.ts'),
    import('../reports/matrix/page.ts'),
    import('../reports/matrix/terminal.ts'),
  ]);
  const reports = await loadReports(places);
  const [result, matrix] = [mergedReport(reports, require), matrixOf(reports)];
  await writeReports(result, folder);
  await writeSet(folder, { 'matrix.html': matrixHtml(matrix), 'matrix.json': safeJson(matrix) });
  await writeMetrics(metrics, result, around);
  const look = lookOf(around.stdout, around.env);
  const summary = renderSummary(result, { ...look, reportDir: out });
  around.stdout.write(quiet ? `${headlineOf(result)}\n` : `${renderMatrix(matrix, look)}\n${summary}`);
  return exitCodeOfRun(result);
}
