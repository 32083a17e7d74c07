import { join, resolve } from 'node:path';
import { changesSince } from '../reports/compare/model.ts';
import { reportFolder, setAsidePlace } from '../reports/folder.ts';
import { githubReporter } from '../reports/github.ts';
import { causeLinesJson } from '../reports/json.ts';
import type { KnownFailure } from '../reports/known-failures.ts';
import { plain } from '../reports/plain.ts';
import { type Report, reportOf } from '../reports/report.ts';
import { lookOf } from '../reports/terminal/layout.ts';
import { createProgress } from '../reports/terminal/progress.ts';
import { renderSummary, type SummaryOptions } from '../reports/terminal/summary.ts';
import { writeFirst, writeReports } from '../reports/write.ts';
import type { AuditOptions } from '../suites/engine/options.ts';
import type { History } from '../suites/exchange/history.ts';
import { redactValue } from '../suites/exchange/redactor.ts';
import { ImageUnavailable } from '../suites/image/options.ts';
import type { RunResult } from '../suites/result.ts';
import type { OpenTarget } from '../suites/target/open.ts';
import { redactorOf } from '../suites/target/secrets.ts';
import { isThere } from '../suites/usage/files.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { exitCodes } from '../suites/verdict.ts';
import { type Given, optional } from './command-line/declaration.ts';
import { choice, flag, integer, list, text } from './command-line/option.ts';
import { commandOf } from './command-line/parse.ts';
import { consentOf, withFoundConfig } from './consent.ts';
import { embedded } from './embedded.ts';
import { nextCommand } from './next-command.ts';
import {
  allow,
  commands,
  config,
  gateExits,
  har,
  insecure,
  knownFailures,
  label,
  maxDuration,
  out,
  require,
  selection,
} from './options.ts';
import type { Surroundings } from './process/surroundings.ts';

const runOptions = {
  stub: flag('Test the embedded stub'),
  image: text('Start a container of this image and test it'),
  port: integer('With --image, required: connect to this port of the container', 1, 65_535),
  env: list('With --image: set NAME=value in the container; NAME alone passes its current value'),
  ready: text('With --image: wait until this path responds with 2xx'),
  config,
  commands,
  allow,
  insecure,
  ...selection,
  'last-failed': flag('Test only requirements that failed or errored in the last report in --out'),
  bail: flag('Stop after the first failure'),
  'max-duration': maxDuration,
  baseline: text('Show the changes since this earlier report: a report.json or a report folder'),
  'known-failures': knownFailures,
  'update-known-failures': flag('Add new failures to that file, or to known-failures.yaml in --out'),
  require,
  out,
  har,
  label,
  reporter: choice(
    'github: also write annotations and a job summary; json: print only one line of JSON for each cause',
    ['github', 'json'],
  ),
  verbose: flag('Print each request with its result'),
  quiet: flag('Print only the verdict, on one line'),
};

const positionals = { url: optional('Base URL of the deployment; overrides the configuration') };

export const command = commandOf({
  name: 'run',
  positionals,
  options: runOptions,
  groups: {
    Target: ['stub', 'config', 'commands', 'allow', 'insecure', 'image', 'port', 'env', 'ready'],
    Scope: ['only', 'skip', 'last-failed', 'observe', 'explore', 'seed', 'bail', 'max-duration'],
    Gate: ['require', 'known-failures', 'update-known-failures'],
    Report: ['out', 'baseline', 'har', 'label', 'reporter', 'verbose', 'quiet'],
  },
  exits: gateExits,
  examples: [
    ['tck run --stub', 'Test the embedded stub'],
    ['tck run https://api.example.test --only schedule', 'Test one topic with the key in TCK_KEY_PRIMARY'],
    [
      'tck run --config tck.config.json --allow proposals,writes --require all',
      'Fail unless every requirement is tested and passes',
    ],
  ],
  setsAside: true,
  run: testDeployment,
});

type RunOptions = Given<typeof runOptions, typeof positionals>;

/**
 * Finds the target, tests it, writes the report and prints a summary.
 * Throws a UsageError before it sends or writes anything.
 */
async function testDeployment(given: RunOptions, around: Surroundings): Promise<number> {
  // Most responses become garbage after they are judged. V8 would keep hundreds of megabytes on a large machine.
  around.setV8Flags('--heap-growing-percent=20');
  // Large modules: help and usage errors do not wait for them.
  const [{ selectionOf }, { openTarget }, { applyKnownFailures, loadKnownFailures }] = await Promise.all([
    import('./selection.ts'),
    import('../suites/target/open.ts'),
    import('../reports/known-failures.ts'),
  ]);
  const found = given.stub ? given : await withFoundConfig(given, around.cwd);
  const options = await narrowed(found, around.cwd);
  if (options.quiet && options.verbose) throw new UsageError('--quiet: expected without --verbose');
  const selection = selectionOf(options);
  const listPath = options.knownFailures === undefined ? undefined : resolve(around.cwd, options.knownFailures);
  const known = listPath === undefined ? [] : await loadKnownFailures(listPath, options.updateKnownFailures);
  const { baseline: place } = options;
  const baseline = place === undefined ? undefined : await loadEarlier(place, options.out, around.cwd);
  const github = options.reporter === 'github' ? githubReporter(around) : undefined;
  let open: OpenTarget;
  try {
    const trust = { consent: consentOf(options, around), restricted: !options.commands };
    open = await openTarget(options, options.seed, { ...around, embedded, ...trust });
  } catch (error) {
    if (!(error instanceof ImageUnavailable)) throw error;
    around.stderr.write(`tck: ${error.message}\n`);
    return exitCodes.inconclusive;
  }
  try {
    const { redact } = redactorOf(open.target);
    around.hide(redact);
    const outDir = await reportFolder(options.out, around.cwd);
    if (!options.quiet) for (const line of open.destinations) around.stderr.write(`tck: ${plain(line, 1000)}\n`);
    github?.begin();
    const { seed, bail, label, verbose, maxDuration: maxDurationSeconds } = options;
    const about = label === undefined ? {} : { label };
    let history: History | undefined;
    const onHistory = (whole: History) => {
      history = whole;
    };
    const chosen = { ...selection, ...about, seed, bail, verbose, maxDurationSeconds, onHistory };
    const run = await auditAndTell(open, chosen, known, options.quiet || options.reporter === 'json', around);
    const told = applyKnownFailures(run, known);
    const changes = baseline === undefined ? {} : { baseline: changesSince(baseline, told) };
    const result = redactValue({ ...told, ...changes }, redact);
    const report = reportOf(result);
    const listed = listPath ?? join(outDir, 'known-failures.yaml');
    let proposed = '';
    const failure = await writeFirst([
      async () => {
        if (options.har === undefined || history === undefined) return;
        const { writeHar } = await import('../suites/recorded/write-har.ts');
        await writeHar(resolve(around.cwd, options.har), history.exchanges, redact, history.knowledge.startedAt);
      },
      () => writeReports(report, outDir),
      async () => github?.write(report),
      async () => {
        if (options.updateKnownFailures) proposed = await propose(result, listed);
      },
    ]);
    const summary = {
      ...lookOf(around.stdout, around.env),
      reportDir: options.out,
      written: failure === undefined,
      next: nextCommand(result, options, around.env),
    };
    around.stdout.write(printed(report, summary, options));
    github?.end(report);
    (options.reporter === 'json' ? around.stderr : around.stdout).write(proposed);
    if (failure !== undefined) throw failure;
    return report.exitCode;
  } finally {
    await open.close();
  }
}

/** The options, with `--only` set to the failures of the last report. Throws a UsageError if nothing failed. */
async function narrowed(options: RunOptions, cwd: string): Promise<RunOptions> {
  const { lastFailed, only, out } = options;
  if (!lastFailed) return options;
  if (only !== undefined) throw new UsageError('--last-failed: expected without --only; both select requirements');
  if (!(await isThere(setAsidePlace(resolve(cwd, out), resolve(cwd, out))))) {
    throw new UsageError(`--last-failed: there is no report in '${out}'`);
  }
  const { requirements } = await loadEarlier(out, out, cwd);
  const failed = requirements.filter(({ status }) => ['failed', 'errored', 'known-failure'].includes(status));
  if (failed.length === 0) throw new UsageError(`--last-failed: nothing failed in the last report in '${out}'`);
  return { ...options, only: failed.map(({ id }) => id) };
}

/** Loads an earlier report, also one that this run renamed. Throws a UsageError if the report cannot be read. */
async function loadEarlier(place: string, out: string, cwd: string): Promise<RunResult> {
  const { loadReport } = await import('../reports/load.ts');
  return loadReport(setAsidePlace(resolve(cwd, place), resolve(cwd, out)));
}

/** The summary, one line, or one line of JSON for each cause. */
function printed(report: Report, summary: SummaryOptions, { quiet, reporter, out }: RunOptions): string {
  if (reporter === 'json') return causeLinesJson(report, out);
  return quiet ? `${report.headline}\n` : renderSummary(report, summary);
}

async function auditAndTell(
  { target, notices }: OpenTarget,
  options: Omit<AuditOptions, 'onEvent' | 'signal'>,
  accepted: readonly KnownFailure[],
  quiet: boolean,
  around: Surroundings,
): Promise<RunResult> {
  const { audit } = await import('../suites/engine/audit.ts');
  const look = lookOf(around.stdout, around.env);
  const today = new Date().toISOString().slice(0, 10);
  const known = new Set(accepted.filter(({ expires }) => expires >= today).map(({ requirement }) => requirement));
  const progress = quiet ? { onEvent: () => {}, stop: () => {} } : createProgress(around.stdout, { ...look, known });
  try {
    for (const text of notices) progress.onEvent({ kind: 'notice', text });
    const { signal } = around;
    const result = await audit(target, { ...options, signal, onEvent: progress.onEvent });
    return { ...result, notices: [...notices, ...result.notices] };
  } finally {
    progress.stop();
  }
}

async function propose(result: RunResult, path: string): Promise<string> {
  const { updateKnownFailures } = await import('../reports/known-failures.ts');
  const added = await updateKnownFailures(result, path);
  const what =
    added.length === 0 ? 'no new failures' : `${added.length} added; complete reason, issue, owner and expires`;
  return `Known failures, ${path}: ${what}\n`;
}
