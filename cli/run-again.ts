import { setAsideReport } from '../reports/folder.ts';
import { plain } from '../reports/plain.ts';
import { exitCodes } from '../suites/exit-codes.ts';
import type { RunResult } from '../suites/result.ts';
import { counted } from '../suites/usage/counted.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { reportFault } from './process/exit-code.ts';
import type { Surroundings } from './process/surroundings.ts';
import { fileChanged, serverIsBack, timesOf } from './triggers.ts';

interface WatchOptions {
  readonly only?: readonly string[] | undefined;
  readonly shard?: string | undefined;
  readonly require?: readonly string[] | undefined;
  readonly lastFailed: boolean;
  readonly stub: boolean;
  readonly image?: string | undefined;
  readonly out: string;
  readonly watchFiles?: string | undefined;
}

/** A run: its exit code, and its result if it tested the deployment. */
export interface Tested {
  readonly code: number;
  readonly result?: RunResult;
}

/** What to test after a trigger, and why. */
interface Next {
  readonly what: 'again' | 'failed' | 'everything' | 'quit';
  readonly why: string;
}

/**
 * Tests a deployment again after each trigger: first what failed last and, if that passes, everything. Returns the exit
 * code of the last run. Throws a UsageError if the first run does, or if nothing can trigger a run.
 */
export async function runAgain<Options extends WatchOptions>(
  options: Options,
  test: (options: Options) => Promise<Tested>,
  around: Surroundings,
): Promise<number> {
  await assertTriggers(options, around);
  let last = await test(options);
  let failed = failedIds(last) ?? [];
  let server = serverOf(last);
  /** Tests these requirements, or everything. An error of usage, such as a misspelled key, does not end the watch. */
  const testOnly = async (ids?: readonly string[]) => {
    try {
      await setAsideReport(options.out, around.cwd);
      const selected = ids === undefined ? {} : { only: ids, shard: undefined, require: undefined };
      last = await test({ ...options, lastFailed: false, ...selected });
    } catch (error) {
      last = { code: reportFault(error, around.stderr) };
    }
    failed = failedIds(last) ?? failed;
    server = serverOf(last) ?? server;
  };
  while (!around.signal.aborted) {
    const { what, why } = await nextOf(options, server, around);
    if (what === 'quit') break;
    const ids = what === 'everything' ? [] : failed;
    if (what === 'failed' && ids.length === 0) {
      around.stdout.write('Nothing failed in the last run.\n');
      continue;
    }
    const subject = ids.length === 0 ? 'everything' : `${counted(ids.length, 'requirement')} that failed`;
    around.stdout.write(`\n${why}: testing ${subject}.\n`);
    await testOnly(ids.length === 0 ? undefined : ids);
    if (ids.length === 0 || what === 'failed' || !passed(last) || around.signal.aborted) continue;
    around.stdout.write('\nThe failed requirements now pass: testing everything.\n');
    await testOnly();
  }
  return last.code;
}

/** The requirements that failed. Undefined if the run shows nothing about them. */
function failedIds({ code, result }: Tested): string[] | undefined {
  if (result === undefined || code === exitCodes.inconclusive) return undefined;
  return result.requirements.filter(({ status }) => status === 'failed' || status === 'errored').map(({ id }) => id);
}

const passed = (tested: Tested) => failedIds(tested)?.length === 0;

/** The address of a server that can restart while the kit waits. An embedded stub or a container cannot. */
const serverOf = ({ result }: Tested) =>
  result !== undefined && ['url', 'config'].includes(result.target.kind) ? result.target.baseUrl : undefined;

async function nextOf(
  { watchFiles: pattern, out }: WatchOptions,
  server: string | undefined,
  around: Surroundings,
): Promise<Next> {
  const { keys, cwd, stdout } = around;
  const files = pattern === undefined ? undefined : { pattern, cwd, out };
  // Before the message: a change right after the message counts.
  const before = files && (await timesOf(files));
  const triggers = [
    ...(keys === undefined ? [] : ['a key']),
    ...(server === undefined ? [] : [`a restart of ${plain(server)}`]),
    ...(pattern === undefined ? [] : [`a change of ${plain(pattern)}`]),
  ];
  stdout.write(`\nWaiting for ${triggers.join(' or ')}.\n`);
  if (keys !== undefined) stdout.write('Enter: test again   f: what failed last   a: everything   q: quit\n');
  const over = new AbortController();
  const signal = AbortSignal.any([around.signal, over.signal]);
  const waits: Promise<Next>[] = [];
  if (keys !== undefined) waits.push(keyChoice(keys, signal));
  if (server !== undefined) waits.push(serverIsBack(server, signal).then(() => again('The server is back')));
  if (files !== undefined && before !== undefined) {
    waits.push(fileChanged(files, before, signal).then((path) => again(`${plain(path)} changed`)));
  }
  try {
    return await Promise.race(waits);
  } catch (error) {
    if (around.signal.aborted) return { what: 'quit', why: '' };
    throw error;
  } finally {
    over.abort();
  }
}

const again = (why: string): Next => ({ what: 'again', why });

async function keyChoice(keys: NonNullable<Surroundings['keys']>, signal: AbortSignal): Promise<Next> {
  for (;;) {
    const pressed = [...(await keys(signal))].flatMap((key) => choices.get(key) ?? []);
    const [what] = pressed;
    if (what !== undefined) return { what, why: 'Key pressed' };
  }
}

/** In raw mode, Ctrl+C and Ctrl+D are characters. */
const choices: ReadonlyMap<string, Next['what']> = new Map([
  ['\r', 'again'],
  ['\n', 'again'],
  ['f', 'failed'],
  ['a', 'everything'],
  ['q', 'quit'],
  ['\u0003', 'quit'],
  ['\u0004', 'quit'],
]);

async function assertTriggers({ stub, image, watchFiles, out }: WatchOptions, { keys, cwd }: Surroundings) {
  if (watchFiles !== undefined) {
    const { size } = await timesOf({ pattern: watchFiles, cwd, out });
    if (size === 0) throw new UsageError(`--watch-files: expected a pattern that matches files, got '${watchFiles}'`);
  } else if (keys === undefined && (stub || image !== undefined)) {
    throw new UsageError('--watch: expected a terminal, the URL of a server, or --watch-files to start further runs');
  }
}
