import { resolve } from 'node:path';
import { kit } from '../fixtures/kit.ts';
import { exitCodes, type Surroundings } from '../fixtures/process.ts';
import type { RunEvent, RunResult } from '../suites/result.ts';
import type { KnownTarget } from '../suites/target/load.ts';
import { openTarget } from '../suites/target/open.ts';
import { safeJson } from './json.ts';
import { loadReport } from './load.ts';
import { plain } from './plain.ts';
import { runAgain } from './replay/again.ts';
import { chosenFindings } from './replay/chosen.ts';
import { replayJson } from './replay/json.ts';
import { judgeReplay, type Replayed } from './replay/judge.ts';
import { renderReplay } from './replay/terminal.ts';
import { lookOf } from './terminal/look.ts';

/** Options of `tck replay`, as they come from the command line. */
export interface ReplayOptions {
  /** A `report.json`, or the folder that it is in. */
  report: string;
  /** A requirement, a topic or a glob on ids; every finding but the known failures where absent. */
  requirement?: string | undefined;
  /** Instead of the configuration's base URL, or of the report's where that has none. */
  url?: string | undefined;
  config?: string | undefined;
  allow?: string | undefined;
  insecure: boolean;
  json: boolean;
}

export interface ReplaySources extends Surroundings {
  /** The embedded stub as a target, for the report of a run against it. */
  embedded(seed: number): Promise<KnownTarget>;
}

/**
 * The body of `tck replay`: sends the requests behind the findings of a report again, runs the checks of their requirements, and tells
 * what became of each. Gives 0 where all are fixed, 1 where one is not, and 3 where that cannot be told. Throws a UsageError for a file that is
 * not a report, a pattern without findings, and a target that is none.
 */
export async function replay(options: ReplayOptions, around: ReplaySources): Promise<number> {
  const report = await loadReport(resolve(around.cwd, options.report));
  const { groups, unknown } = chosenFindings(report, options.requirement);
  const { stdout, stderr, env, signal } = around;
  for (const id of unknown)
    stderr.write(`tck: this version of the kit does not know ${plain(id)}, which is left out\n`);
  if (groups.length === 0) {
    stdout.write(options.json ? safeJson(replayJson(report, [])) : 'The report shows no finding to replay.\n');
    return unknown.length === 0 ? exitCodes.conformant : exitCodes.inconclusive;
  }
  const open = await openTarget(await choiceOf(options, report, around.cwd), report.seed, around);
  try {
    const onEvent = (event: RunEvent) => {
      if (event.kind !== 'waiting') return;
      stderr.write(`tck: waiting ${Math.ceil(event.seconds)} s: ${plain(event.reason)}\n`);
    };
    const again = await runAgain(open.target, report, groups, { signal, onEvent, kitVersion: kit.version });
    const trouble = troubleOf(again.result);
    if (trouble !== undefined) {
      stderr.write(`tck: nothing could be replayed: ${plain(trouble)}\n`);
      return exitCodes.inconclusive;
    }
    const replayed = judgeReplay(report, groups, again);
    const result = { ...again.result, notices: [...open.notices, ...again.result.notices] };
    stdout.write(
      options.json ? safeJson(replayJson(result, replayed)) : renderReplay(replayed, result, lookOf(stdout, env)),
    );
    return exitCodeOf(replayed, unknown.length === 0);
  } finally {
    await open.close();
  }
}

async function choiceOf(
  { url, config, allow, insecure }: ReplayOptions,
  { target }: RunResult,
  cwd: string,
): Promise<Parameters<typeof openTarget>[0]> {
  if (target.kind === 'stub' && url === undefined) return { stub: true, config, allow };
  const { readConfigFile } = await import('../suites/target/config-file.ts');
  const configured = config === undefined ? undefined : (await readConfigFile(config, cwd)).config.baseUrl;
  return { url: url ?? (configured === undefined ? target.baseUrl : undefined), config, allow, insecure };
}

/** Why nothing at all could be done; undefined where something was, or where only effects, keys and settings are missing. */
function troubleOf({ requirements, reasons }: RunResult): string | undefined {
  const checks = requirements.flatMap((requirement) => requirement.checks);
  const idle = checks.every(({ status, missing = [] }) => status === 'not-tested' && missing.length === 0);
  return idle ? (reasons[0] ?? 'nothing was tested') : undefined;
}

function exitCodeOf(replayed: readonly Replayed[], allKnown: boolean): number {
  const having = (...outcomes: Replayed['outcome'][]) => replayed.some(({ outcome }) => outcomes.includes(outcome));
  if (having('still failing', 'changed')) return exitCodes['non-conformant'];
  return having('not told') || !allKnown ? exitCodes.inconclusive : exitCodes.conformant;
}
