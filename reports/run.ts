import { join, resolve } from 'node:path';
import { kit } from '../fixtures/kit.ts';
import { exitCodes, type Surroundings } from '../fixtures/process.ts';
import { requirements } from '../fixtures/requirements/index.ts';
import { audit } from '../suites/engine/audit.ts';
import type { AuditOptions } from '../suites/engine/options.ts';
import { ImageUnavailable } from '../suites/image/unavailable.ts';
import type { RunResult } from '../suites/result.ts';
import { requiredIds } from '../suites/selection.ts';
import { parseShard } from '../suites/shard.ts';
import type { KnownTarget } from '../suites/target/load.ts';
import { type OpenTarget, openTarget, type TargetChoice } from '../suites/target/open.ts';
import type { Target } from '../suites/target.ts';
import { githubReporter, noReporter } from './github.ts';
import type { Reference } from './html/reference.ts';
import type { KnownFailure } from './known-failures/load.ts';
import { type SelectionOptions, selectionOf } from './run-selection.ts';
import { lookOf } from './terminal/look.ts';
import { createProgress } from './terminal/progress.ts';
import { renderSummary } from './terminal/summary.ts';
import { reportFolder, writeReports } from './write.ts';

/** Options of `tck run`, as they come from the command line. */
export interface RunOptions extends TargetChoice, SelectionOptions {
  knownFailures?: string | undefined;
  updateKnownFailures: boolean;
  /** Where the run is told besides: `github` makes annotations and a job summary of it. */
  reporter?: 'github' | undefined;
  out: string;
  seed: number;
  bail: boolean;
}

export interface RunSources extends Surroundings {
  /** The embedded stub as a target. */
  embedded(seed: number): Promise<KnownTarget>;
  /** What the stub would answer to requests that were sent to a target; only asked when something was found. */
  reference(target: Target): Promise<Reference>;
}

/**
 * The body of `tck run`: finds the target, runs the checks, writes the report and tells what came of it. Gives the exit code of the
 * verdict. Throws a UsageError before anything is sent, and then nothing is written.
 */
export async function run(options: RunOptions, around: RunSources): Promise<number> {
  const selection = selectionOf(options);
  const listPath = options.knownFailures === undefined ? undefined : resolve(around.cwd, options.knownFailures);
  const known = listPath === undefined || options.updateKnownFailures ? [] : await loadList(listPath);
  const reporter = options.reporter === 'github' ? githubReporter(around) : noReporter;
  let open: OpenTarget;
  try {
    open = await openTarget(options, options.seed, around);
  } catch (error) {
    if (!(error instanceof ImageUnavailable)) throw error;
    around.stderr.write(`tck: ${error.message}\n`);
    return exitCodes.inconclusive;
  }
  try {
    const outDir = await reportFolder(options.out, around.cwd);
    reporter.begin();
    const { seed, bail } = options;
    const run = await auditAndTell(open, { ...selection, seed, bail }, around);
    const audited = options.shard === undefined ? run : { ...run, shard: parseShard(options.shard) };
    const result = await withKnownFailures(audited, known, selection.require);
    const found = result.requirements.some(({ checks }) => checks.some(({ findings }) => findings.length > 0));
    const writing = writeReports(result, outDir, found ? { reference: await around.reference(open.target) } : {});
    // What came of the run is told even where it cannot be written.
    await writing.catch(() => undefined);
    const look = lookOf(around.stdout, around.env);
    around.stdout.write(renderSummary(result, { ...look, reportDir: options.out }));
    await writing;
    await reporter.end(result);
    if (options.updateKnownFailures) await propose(result, listPath ?? join(outDir, 'known-failures.yaml'), around);
    return exitCodes[result.verdict];
  } finally {
    await open.close();
  }
}

async function auditAndTell(
  { target, notices }: OpenTarget,
  options: Omit<AuditOptions, 'onEvent' | 'signal'>,
  around: RunSources,
): Promise<RunResult> {
  const progress = createProgress(around.stdout, lookOf(around.stdout, around.env));
  try {
    for (const text of notices) progress.onEvent({ kind: 'notice', text });
    const { signal } = around;
    const result = await audit(target, { ...options, signal, onEvent: progress.onEvent, kitVersion: kit.version });
    return { ...result, notices: [...notices, ...result.notices] };
  } finally {
    progress.stop();
  }
}

async function loadList(path: string): Promise<KnownFailure[]> {
  const { loadKnownFailures } = await import('./known-failures/load.ts');
  return loadKnownFailures(path);
}

async function withKnownFailures(
  result: RunResult,
  known: readonly KnownFailure[],
  require: readonly string[] | undefined,
): Promise<RunResult> {
  if (known.length === 0) return result;
  const { applyKnownFailures } = await import('./known-failures/apply.ts');
  const today = result.startedAt.slice(0, 10);
  return applyKnownFailures(result, known, { today, required: requiredIds(requirements, require) });
}

async function propose(result: RunResult, path: string, { stdout }: RunSources): Promise<void> {
  const { updateKnownFailures } = await import('./known-failures/update.ts');
  const added = await updateKnownFailures(result, path);
  const what = added.length === 0 ? 'nothing to add' : `${added.length} added; say why, and until when`;
  stdout.write(`Known failures, ${path}: ${what}\n`);
}
