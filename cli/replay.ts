import { resolve } from 'node:path';
import { topics } from '../fixtures/requirements/model.ts';
import { safeJson } from '../reports/json.ts';
import { loadReport } from '../reports/load.ts';
import { plain } from '../reports/plain.ts';
import { chosenFindings } from '../reports/replay/chosen.ts';
import { replayJson } from '../reports/replay/json.ts';
import { judgeReplay, type Replayed } from '../reports/replay/judge.ts';
import { renderReplay } from '../reports/replay/terminal.ts';
import { lookOf } from '../reports/terminal/look.ts';
import { exitCodes } from '../suites/exit-codes.ts';
import { topicOf } from '../suites/ids-summary.ts';
import type { RunEvent, RunResult } from '../suites/result.ts';
import type { TargetChoice } from '../suites/target/open.ts';
import { redactorOf } from '../suites/target/secrets.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { command } from './command-line/command.ts';
import { type Given, optional, required } from './command-line/declaration.ts';
import { text } from './command-line/option.ts';
import { consentOf } from './consent.ts';
import { embedded } from './embedded.ts';
import { allow, commands, config, insecure, json } from './options.ts';
import type { Surroundings } from './process/surroundings.ts';

const replayOptions = {
  url: text('Send to this base URL instead of the configured one'),
  config,
  commands,
  allow,
  insecure,
  json,
};

const positionals = {
  report: required('A report.json, or the folder that contains it'),
  requirement: optional(
    'Number of a cause, or an ID, topic or glob on IDs (default: all findings except known failures)',
  ),
};

export const replay = command({
  name: 'replay',
  positionals,
  options: replayOptions,
  groups: { Target: ['url', 'config', 'commands', 'allow', 'insecure'] },
  exits: {
    0: 'every finding is fixed',
    1: 'a finding is not fixed',
    2: 'wrong usage or configuration',
    3: 'a finding could not be tested again',
  },
  examples: [
    ['tck replay tck-report 1 --config tck.config.json', 'Replay the first cause'],
    ['tck replay tck-report schedule --config tck.config.json', 'Replay the findings of one topic'],
  ],
  run: (given, around) => replayFindings(given, around),
});

type ReplayOptions = Given<typeof replayOptions, typeof positionals>;

/**
 * Resends the requests behind the findings of a report, tests their requirements, and prints the result of each.
 * Returns 0 if all are fixed, 1 if a requirement still fails, and 3 if a requirement could not be tested. Throws a
 * UsageError for a file that is not a report, a pattern without findings, and an invalid target.
 */
async function replayFindings(options: ReplayOptions, around: Surroundings): Promise<number> {
  const report = await loadReport(resolve(around.cwd, options.report));
  const { requirements } = await import('../suites/requirements.ts');
  const { causes, unknown } = chosenFindings(report, options.requirement, requirements);
  const { stdout, stderr, env, signal } = around;
  for (const id of unknown) {
    const isOfKit = topics.some((topic) => topic === topicOf(id));
    const which = isOfKit ? 'this version of the kit' : 'the kit';
    stderr.write(`tck: ${which} does not know ${plain(id)}, and skips this requirement\n`);
  }
  if (causes.length === 0) {
    stdout.write(options.json ? safeJson(replayJson(report, [])) : 'The report has no finding to replay.\n');
    return unknown.length === 0 ? exitCodes.ok : exitCodes.inconclusive;
  }
  // Large modules: help and usage errors do not wait for them.
  const [{ runAgain }, { openTarget }] = await Promise.all([
    import('../reports/replay/again.ts'),
    import('../suites/target/open.ts'),
  ]);
  const sources = { ...around, embedded, consent: consentOf(options, around) };
  const open = await openTarget(await choiceOf(options, report, around), report.seed, sources);
  around.hide(redactorOf(open.target));
  try {
    const onEvent = (event: RunEvent) => {
      if (event.kind !== 'waiting') return;
      stderr.write(`tck: waiting ${Math.ceil(event.seconds)} s: ${plain(event.reason)}\n`);
    };
    const again = await runAgain(open.target, report, causes, { signal, onEvent });
    const trouble = troubleOf(again.result);
    if (trouble !== undefined) {
      stderr.write(`tck: nothing could be replayed: ${plain(trouble)}\n`);
      return exitCodes.inconclusive;
    }
    const replayed = judgeReplay(report, causes, again);
    const result = { ...again.result, notices: [...open.notices, ...again.result.notices] };
    stdout.write(
      options.json ? safeJson(replayJson(result, replayed)) : renderReplay(replayed, result, lookOf(stdout, env)),
    );
    return exitCodeOf(replayed, unknown.length === 0);
  } finally {
    await open.close();
  }
}

/**
 * Returns the target after the person names or confirms it. A report can come from anyone, so the kit never sends a key
 * to its address without consent.
 */
async function choiceOf(
  { url, config, allow, insecure }: ReplayOptions,
  { target }: RunResult,
  { cwd, ask }: Surroundings,
): Promise<TargetChoice> {
  if (target.kind === 'stub' && url === undefined) return { stub: true, config, allow };
  const { readConfigFile } = await import('../suites/target/config-file.ts');
  const configured = config === undefined ? undefined : (await readConfigFile(config, cwd)).config.baseUrl;
  if (url !== undefined || configured !== undefined) return { url, config, allow, insecure };
  const named = plain(target.baseUrl);
  const answer = await ask?.(`Send requests with your keys to ${named}, the address in the report? [y/N] `);
  if (/^y(es)?$/i.test(answer?.trim() ?? '')) return { url: target.baseUrl, config, allow, insecure };
  throw new UsageError(
    `the address ${named} is only in the report: pass --url ${named} if you trust this address with your keys`,
  );
}

/**
 * Why nothing could be replayed. Undefined if at least one requirement was tested, or if only side effects, keys or
 * settings are missing.
 */
function troubleOf({ requirements, trouble }: RunResult): string | undefined {
  const selected = requirements.filter(({ missing = [] }) => !missing.some(({ kind }) => kind === 'selection'));
  const idle = selected.every(
    ({ status, missing = [] }) =>
      status === 'not-tested' && missing.every(({ kind }) => kind === 'interruption' && trouble.length > 0),
  );
  return idle ? (trouble[0] ?? 'nothing was tested') : undefined;
}

function exitCodeOf(replayed: readonly Replayed[], allKnown: boolean): number {
  const having = (...outcomes: Replayed['outcome'][]) => replayed.some(({ outcome }) => outcomes.includes(outcome));
  if (having('still failing', 'changed')) return exitCodes.failed;
  return having('not told') || !allKnown ? exitCodes.inconclusive : exitCodes.ok;
}
