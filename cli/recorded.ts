import { resolve } from 'node:path';
import { reportFolder } from '../reports/folder.ts';
import type { KnownFailure } from '../reports/known-failures.ts';
import { reportOf } from '../reports/report.ts';
import { lookOf } from '../reports/terminal/layout.ts';
import { renderSummary } from '../reports/terminal/summary.ts';
import { writeFirst, writeReports } from '../reports/write.ts';
import type { TrafficOptions } from '../suites/recorded/options.ts';
import { type Assumption, assumptions } from '../suites/recorded/recorded.ts';
import type { RunResult } from '../suites/result.ts';
import { didYouMean, UsageError } from '../suites/usage/usage-error.ts';
import type { Given } from './command-line/declaration.ts';
import { flag, list } from './command-line/option.ts';
import { consentOf } from './consent.ts';
import { commands, config, knownFailures, label, out, require, selection } from './options.ts';
import type { Surroundings } from './process/surroundings.ts';

/** Options of the commands that judge traffic of other programs. */
export const recordedOptions = {
  config,
  commands,
  assume: list(
    'Comma-separated facts that the traffic does not show: complete (no request is missing), clock (the clock of the ' +
      'deployment runs in real time), one-key (all requests without a recorded key used the same key)',
  ),
  client: flag('Also judge the client; one client must have sent all requests'),
  bodies: flag('Show bodies in the report; --no-bodies shows only their shapes, codes and lengths', true),
  only: selection.only,
  skip: selection.skip,
  require,
  'known-failures': knownFailures,
  out,
  label,
};

export const recordedGroups = {
  Traffic: ['config', 'commands', 'assume', 'client'],
  Scope: ['only', 'skip'],
  Gate: ['require', 'known-failures'],
  Report: ['out', 'label', 'bodies'],
} as const;

type RecordedOptions = Omit<Given<typeof recordedOptions>, 'program'>;

/** The traffic options and the known failures of a command line. Throws a UsageError for invalid options. */
export async function trafficOf(
  options: RecordedOptions & { url?: string | undefined },
  around: Surroundings,
): Promise<{ traffic: TrafficOptions; known: readonly KnownFailure[] }> {
  const [{ patternsOf }, { loadKnownFailures }, { loadTarget }] = await Promise.all([
    import('./selection.ts'),
    import('../reports/known-failures.ts'),
    import('../suites/target/load.ts'),
  ]);
  const { config, url, label, client, knownFailures } = options;
  const known = knownFailures === undefined ? [] : await loadKnownFailures(resolve(around.cwd, knownFailures));
  const trust = { ...around, consent: consentOf(options, around), restricted: !options.commands };
  // Plain HTTP is allowed, because the kit sends no requests to the deployment.
  const loaded = config === undefined ? undefined : await loadTarget({ config, url, insecure: true }, trust);
  const assumed = assumptionsOf(options.assume);
  return { traffic: { target: loaded?.target, assumed, ...patternsOf(options), label, client }, known };
}

/** The words of `--assume`. Throws a UsageError for an unknown word. */
function assumptionsOf(given: readonly string[] | undefined): Assumption[] {
  return (given ?? [])
    .flatMap((words) => words.split(','))
    .map((word) => {
      const known = assumptions.find((each) => each === word.trim());
      if (known !== undefined) return known;
      throw new UsageError(
        `--assume: expected ${assumptions.join(', ')}, got '${word}'${didYouMean(word, [...assumptions])}`,
      );
    });
}

/** Writes the report, prints the summary, and returns the exit code. */
export async function reportRecorded(
  judged: RunResult,
  known: readonly KnownFailure[],
  { out, bodies }: Pick<RecordedOptions, 'out' | 'bodies'>,
  around: Surroundings,
): Promise<number> {
  const [{ withoutBodies }, { applyKnownFailures }] = await Promise.all([
    import('../suites/recorded/bare.ts'),
    import('../reports/known-failures.ts'),
  ]);
  const applied = applyKnownFailures(judged, known);
  return tellResult(bodies ? applied : withoutBodies(applied), out, around, { mode: 0o600 });
}

/** Writes the report of a result, prints its summary and what else there is to say. Returns the exit code. */
export async function tellResult(
  result: RunResult,
  out: string,
  { cwd, env, stdout }: Surroundings,
  { mode, more = '' }: { readonly mode?: number; readonly more?: string },
): Promise<number> {
  const report = reportOf(result);
  const failure = await writeFirst([async () => writeReports(report, await reportFolder(out, cwd), mode)]);
  const summary = renderSummary(report, { ...lookOf(stdout, env), reportDir: out, written: failure === undefined });
  stdout.write(summary + more);
  if (failure !== undefined) throw failure;
  return report.exitCode;
}
