import { setTimeout as wait } from 'node:timers/promises';
import { Changes } from '../reports/changes.ts';
import { exitCodeOfRun } from '../reports/exit-code.ts';
import { reportFolder } from '../reports/folder.ts';
import type { KnownFailure } from '../reports/known-failures/load.ts';
import type { WatchFigures } from '../reports/metrics.ts';
import { fitted } from '../reports/terminal/layout.ts';
import { lookOf } from '../reports/terminal/look.ts';
import { writeReports } from '../reports/write.ts';
import type { AuditOptions } from '../suites/engine/options.ts';
import { ownWords } from '../suites/engine/own-words.ts';
import { exitCodes } from '../suites/exit-codes.ts';
import { redactValue } from '../suites/history/redaction/values.ts';
import type { RunResult } from '../suites/result.ts';
import { redactorOf } from '../suites/target/secrets.ts';
import { counted } from '../suites/usage/counted.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { command } from './command-line/command.ts';
import { type Given, optional } from './command-line/declaration.ts';
import { duration, integer, text } from './command-line/option.ts';
import { consentOf } from './consent.ts';
import { embedded } from './embedded.ts';
import { knownFailuresOf, withKnownFailures } from './known-failures.ts';
import { MetricsServer } from './metrics-server.ts';
import { commands, config, gateExits, insecure, metrics, selection, stories, trace, traceUrl } from './options.ts';
import { rehearse } from './plan.ts';
import { reportFault } from './process/exit-code.ts';
import { collectEarly } from './process/memory.ts';
import type { Surroundings } from './process/surroundings.ts';
import { catalogueOf } from './stories.ts';
import { intervalMs, nextStartMs, type Round, requestsOfDay, type Schedule } from './watch-schedule.ts';
import { writeMetrics } from './write-metrics.ts';

const watchOptions = {
  config,
  commands,
  insecure,
  stories,
  only: selection.only,
  skip: selection.skip,
  'as-of': selection['as-of'],
  seed: selection.seed,
  every: duration('Start a run this often, such as 30s, 10m or 2h', '10m', '7d'),
  budget: integer('Send at most this many requests in 24 hours; a small budget means fewer runs', 1, 10 ** 9, 100_000),
  'known-failures': text('YAML or JSON file that lists accepted failures'),
  out: text('Write the report of each run that shows a change to this folder (default: none)'),
  metrics,
  'metrics-port': integer('Serve the metrics of the last run at http://127.0.0.1:PORT/metrics', 1, 65_535),
  label: text('Text to show in reports and metrics, such as a build or a commit'),
  trace,
  'trace-url': traceUrl,
};

const positionals = { url: optional('Base URL of the deployment; overrides the configuration') };

export const watch = command({
  name: 'watch',
  positionals,
  options: watchOptions,
  groups: {
    Target: ['config', 'commands', 'insecure'],
    Schedule: ['every', 'budget'],
    Scope: ['stories', 'only', 'skip', 'as-of', 'seed'],
    Report: ['known-failures', 'out', 'metrics', 'metrics-port', 'label', 'trace', 'trace-url'],
  },
  exits: {
    ...gateExits,
    0: 'stopped; the gate of the last run passed',
    3: 'the last run was inconclusive, or no run finished',
  },
  examples: [
    ['tck watch https://api.example.test --every 10m --budget 20000', 'Test every 10 minutes until Ctrl-C'],
    ['tck watch --config tck.config.json --metrics tck.prom', 'Write metrics for a textfile collector'],
  ],
  run: (given, around) => watchDeployment(given, around),
});

type WatchOptions = Given<typeof watchOptions, typeof positionals>;

/** Tests a deployment until the person stops the command. Returns the exit code of the last run. */
async function watchDeployment(options: WatchOptions, around: Surroundings): Promise<number> {
  collectEarly();
  const { selectionOf } = await import('./selection.ts');
  const reading = { ...options, allow: 'none', shard: undefined, observe: false, explore: 0, maxDuration: undefined };
  const { catalogue } = await catalogueOf(options, around);
  const known = await knownFailuresOf(options.knownFailures, around.cwd, catalogue);
  const chosen = selectionOf(reading, catalogue);
  const planned = (await rehearse(reading, around)).result.summary.requests;
  const schedule: Schedule = { everyMs: options.every * 1000, budget: options.budget };
  if (planned > schedule.budget) {
    throw new UsageError(`--budget: expected at least ${planned}, the requests of one run, got ${schedule.budget}`);
  }
  await using server = options.metricsPort === undefined ? undefined : new MetricsServer();
  await server?.listen(options.metricsPort ?? 0);
  const print = printer(around);
  print(scheduleText(schedule, planned));
  const changes = new Changes();
  const test = tester({ ...options, allow: 'none' }, chosen, known, around);
  let past: Round[] = [];
  let code: number = exitCodes.inconclusive;
  while (await isTime(nextStartMs(schedule, planned, past), around.signal)) {
    const startMs = Date.now();
    try {
      const left = schedule.budget - requestsOfDay(past, startMs);
      const result = await test(left);
      // An interrupted run says nothing about the deployment.
      if (around.signal.aborted) break;
      const { requests } = result.summary;
      past = [...past.filter((round) => requestsOfDay([round], startMs) > 0), { startMs, requests }];
      code = exitCodeOfRun(result);
      const lines = changes.since(result);
      for (const line of lines) print(line);
      const figures: WatchFigures = {
        intervalSeconds: intervalMs(schedule, Math.max(planned, requests)) / 1000,
        dayRequests: requestsOfDay(past, startMs),
        budget: schedule.budget,
      };
      await writeMetrics(options.metrics, result, around, figures);
      if (server !== undefined) server.text = await metricsOf(result, figures);
      if (options.out !== undefined && lines.length > 0) {
        await writeReports(result, await reportFolder(options.out, around.cwd));
      }
    } catch (error) {
      if (past.length === 0 || !(error instanceof UsageError)) throw error;
      // A missing secret or a full disk can be temporary.
      reportFault(error, around.stderr);
      if (past.at(-1)?.startMs !== startMs) past.push({ startMs, requests: 0 });
    }
  }
  return code;
}

/** Returns a function that tests the deployment once, with at most about `left` requests. Reads keys each time. */
function tester(
  options: WatchOptions & { allow: string },
  chosen: Omit<AuditOptions, 'seed'>,
  known: readonly KnownFailure[],
  around: Surroundings,
): (left: number) => Promise<RunResult> {
  const consent = consentOf(options, around);
  let hidden: string | undefined;
  return async (left) => {
    const [{ audit }, { openTarget }] = await Promise.all([
      import('../suites/engine/audit.ts'),
      import('../suites/target/open.ts'),
    ]);
    const { target, notices, close } = await openTarget(options, options.seed, { ...around, embedded, consent });
    const redact = redactorOf(target);
    // Each call of `hide` adds a step to all further output, so it is made only for new secrets.
    if (hidden !== target.secrets.join('\n')) around.hide(redact);
    hidden = target.secrets.join('\n');
    const spent = new AbortController();
    try {
      const result = await audit(target, {
        ...chosen,
        ...(options.label === undefined ? {} : { label: options.label }),
        seed: options.seed,
        signal: AbortSignal.any([around.signal, spent.signal]),
        onEvent: (event) => {
          if (event.kind === 'sent' && event.requests >= left) spent.abort();
        },
      });
      const whole = { ...result, notices: [...notices, ...result.notices] };
      return redactValue(await withKnownFailures(whole, known), redact, ownWords);
    } finally {
      await close();
    }
  };
}

async function metricsOf(result: RunResult, figures: WatchFigures): Promise<string> {
  const { metricsText } = await import('../reports/metrics.ts');
  return metricsText(result, figures);
}

/** Waits until a time. Returns false if the person stops the command before. */
async function isTime(atMs: number, signal: AbortSignal): Promise<boolean> {
  try {
    await wait(Math.max(0, atMs - Date.now()), undefined, { signal });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

function scheduleText(schedule: Schedule, planned: number): string {
  const seconds = Math.round(intervalMs(schedule, planned) / 1000);
  const isLonger = seconds * 1000 > schedule.everyMs;
  const reason = isLonger ? `, because of a budget of ${schedule.budget} requests a day` : '';
  return `Reading every ${seconds} s${reason}; ${counted(planned, 'request')} in each run. Ctrl-C stops the watch.`;
}

/** Prints lines with their time, for logs. */
function printer({ stdout, env }: Surroundings): (line: string) => void {
  return (line) =>
    stdout.write(`${fitted(`${new Date().toISOString().slice(0, 19)}Z ${line}`, lookOf(stdout, env))}\n`);
}
