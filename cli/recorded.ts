import { resolve } from 'node:path';
import { exitCodeOfRun } from '../reports/exit-code.ts';
import { reportFolder } from '../reports/folder.ts';
import type { KnownFailure } from '../reports/known-failures/load.ts';
import { lookOf } from '../reports/terminal/look.ts';
import { renderSummary } from '../reports/terminal/summary.ts';
import { writeReports } from '../reports/write.ts';
import { type Assumption, assumptions } from '../suites/recorded/assumptions.ts';
import type { TrafficOptions } from '../suites/recorded/options.ts';
import type { RunResult } from '../suites/result.ts';
import type { Target } from '../suites/target.ts';
import { didYouMean } from '../suites/usage/nearest.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import type { Given } from './command-line/declaration.ts';
import { flag, list, text } from './command-line/option.ts';
import { consentOf } from './consent.ts';
import { commands, config, out, require, selection } from './options.ts';
import type { Surroundings } from './process/surroundings.ts';
import { writeFirst } from './write-first.ts';

/** Options of the commands that judge the traffic of others. */
export const recordedOptions = {
  config,
  commands,
  assume: list(
    'State what the traffic does not show, separated by commas: complete (no request is missing), clock (the clock ' +
      'of the deployment runs in real time), one-key (all requests without a recorded key used the same key)',
  ),
  client: flag('Judge the client, too; one client must have sent all requests'),
  bodies: flag('Show bodies in the report; --no-bodies shows only their shapes, codes and lengths', true),
  'record-all': flag('Write headers, query values and bodies of any kind; known secrets are still replaced'),
  only: selection.only,
  skip: selection.skip,
  require,
  'known-failures': text('Accept the failures that this YAML or JSON file lists'),
  out,
  label: text('Show this text in the report, such as a build or a commit'),
};

export const recordedGroups = {
  Traffic: ['config', 'commands', 'assume', 'client'],
  Scope: ['only', 'skip'],
  Gate: ['require', 'known-failures'],
  Report: ['out', 'label', 'bodies', 'record-all'],
} as const;

export type RecordedOptions = Omit<Given<typeof recordedOptions>, 'program'>;

/** What the options say of the traffic, and the failures that are accepted in it. Throws a UsageError for bad ones. */
export async function trafficOf(
  options: RecordedOptions & { url?: string | undefined },
  around: Surroundings,
): Promise<{ traffic: TrafficOptions; known: readonly KnownFailure[] }> {
  const { splitPatterns } = await import('../suites/selection.ts');
  const known = await knownFailuresOf(options.knownFailures, around.cwd);
  const { label, client } = options;
  const traffic = {
    target: await targetOf(options, around),
    assumed: assumptionsOf(options.assume),
    only: splitPatterns(options.only, '--only'),
    skip: splitPatterns(options.skip, '--skip'),
    require: splitPatterns(options.require, '--require'),
    label,
    client,
    recordAll: options.recordAll,
  };
  return { traffic, known };
}

/** Words of `--assume`; throws a UsageError for another one. */
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

/** What the configuration says of the deployment. Nothing is sent to it: its address may be a plain one. */
async function targetOf(
  options: Pick<RecordedOptions, 'config' | 'commands'> & { url?: string | undefined },
  around: Surroundings,
): Promise<Target | undefined> {
  const { config, url } = options;
  if (config === undefined) return undefined;
  const { loadTarget } = await import('../suites/target/load.ts');
  const { target } = await loadTarget(
    { config, url, insecure: true },
    { ...around, consent: consentOf(options, around) },
  );
  return target;
}

async function knownFailuresOf(path: string | undefined, cwd: string): Promise<KnownFailure[]> {
  if (path === undefined) return [];
  const { loadKnownFailures } = await import('../reports/known-failures/load.ts');
  return loadKnownFailures(resolve(cwd, path));
}

/** Writes the report, prints the summary, and returns the exit code. */
export async function tellRecorded(
  judged: RunResult,
  known: readonly KnownFailure[],
  { out, bodies }: Pick<RecordedOptions, 'out' | 'bodies'>,
  { cwd, env, stdout }: Surroundings,
): Promise<number> {
  const { applyKnownFailures } = await import('../reports/known-failures/apply.ts');
  const { withoutBodies } = await import('../suites/recorded/without-bodies.ts');
  const told = known.length === 0 ? judged : applyKnownFailures(judged, known, judged.startedAt.slice(0, 10));
  const result = bodies ? told : withoutBodies(told);
  const failure = await writeFirst([async () => writeReports(result, await reportFolder(out, cwd), { mode: 0o600 })]);
  stdout.write(renderSummary(result, { ...lookOf(stdout, env), reportDir: out, written: failure === undefined }));
  if (failure !== undefined) throw failure;
  return exitCodeOfRun(result);
}
