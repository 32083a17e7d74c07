import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { kit } from '../fixtures/kit.ts';
import { exitCodes, type Surroundings } from '../fixtures/process.ts';
import { requirements } from '../fixtures/requirements/index.ts';
import { UsageError } from '../fixtures/usage-error.ts';
import { type AuditOptions, audit } from '../suites/engine/audit.ts';
import { ImageUnavailable } from '../suites/image/unavailable.ts';
import type { RunResult } from '../suites/result.ts';
import { requiredIds, selectRequirements, splitPatterns } from '../suites/selection.ts';
import type { KnownTarget } from '../suites/target/load.ts';
import { type OpenTarget, openTarget, type TargetChoice } from '../suites/target/open.ts';
import { lookOf } from './terminal/look.ts';
import { createProgress } from './terminal/progress.ts';
import { renderSummary } from './terminal/summary.ts';
import { writeReports } from './write.ts';

/** Options of `tck run`, as they come from the command line. */
export interface RunOptions extends TargetChoice {
  only?: readonly string[] | undefined;
  skip?: readonly string[] | undefined;
  require?: readonly string[] | undefined;
  knownFailures?: string | undefined;
  out: string;
  seed: number;
  bail: boolean;
}

export interface RunSources extends Surroundings {
  embedded(seed: number): Promise<KnownTarget>;
}

/**
 * The body of `tck run`: finds the target, runs the checks, writes the report and tells what came of it. Gives the exit code of the
 * verdict. Throws a UsageError before anything is sent, and then nothing is written.
 */
export async function run(options: RunOptions, around: RunSources): Promise<number> {
  if (options.knownFailures !== undefined) throw new UsageError('--known-failures: not in this version');
  const patterns = patternsOf(options);
  const outDir = resolve(around.cwd, options.out);
  let open: OpenTarget;
  try {
    open = await openTarget(options, options.seed, around);
  } catch (error) {
    if (!(error instanceof ImageUnavailable)) throw error;
    around.stderr.write(`tck: ${error.message}\n`);
    return exitCodes.inconclusive;
  }
  try {
    await mkdir(outDir, { recursive: true }).catch((error: Error) => {
      throw new UsageError(`--out: cannot write to '${options.out}': ${error.message}`);
    });
    const result = await runAndTell(open, { ...patterns, seed: options.seed, bail: options.bail }, around);
    await writeReports(result, outDir);
    const look = lookOf(around.stdout, around.env);
    around.stdout.write(renderSummary(result, { ...look, reportDir: options.out }));
    return exitCodes[result.verdict];
  } finally {
    await open.close();
  }
}

/** The patterns of the three options, each known to select something. */
function patternsOf(options: RunOptions): Pick<AuditOptions, 'only' | 'skip' | 'require'> {
  const only = splitPatterns(options.only, '--only');
  const skip = splitPatterns(options.skip, '--skip');
  const require = splitPatterns(options.require, '--require');
  selectRequirements(requirements, only, skip);
  requiredIds(requirements, require);
  return {
    ...(only === undefined ? {} : { only }),
    ...(skip === undefined ? {} : { skip }),
    ...(require === undefined ? {} : { require }),
  };
}

async function runAndTell(
  { target, notices }: OpenTarget,
  options: Omit<AuditOptions, 'onEvent' | 'signal'>,
  around: RunSources,
): Promise<RunResult> {
  const progress = createProgress(around.stdout, lookOf(around.stdout, around.env));
  try {
    for (const text of notices) progress.onEvent({ kind: 'notice', text });
    const result = await audit(target, {
      ...options,
      signal: around.signal,
      onEvent: progress.onEvent,
      kitVersion: kit.version,
    });
    return { ...result, notices: [...notices, ...result.notices] };
  } finally {
    progress.stop();
  }
}
