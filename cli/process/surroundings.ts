import type { Redact } from '../../suites/history/redactor.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { exitCodes } from '../../suites/verdict.ts';
import { type Ask, questionsAt } from './ask.ts';
import { outletTo, type Stream } from './outlet.ts';

/** The environment of a command: streams, variables, folder, interruption. Tests pass their own. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  /** Base folder of relative paths. */
  cwd: string;
  stdout: Stream;
  stderr: Stream;
  /** Redacts all further output. */
  hide(redact: Redact): void;
  /** Aborted when the person interrupts the command. The cause of its reason is the name of the signal. */
  signal: AbortSignal;
  /** Asks the person at the terminal. Without a terminal, `ask` is undefined and commands use defaults. */
  ask?: Ask | undefined;
}

/**
 * The surroundings of this process. The first SIGINT or SIGTERM aborts the signal, so that a command can finish
 * cleanly. The second one exits at once. A closed pipe (`tck list | head`) is not an error.
 */
export function surroundingsOf(process: NodeJS.Process): Surroundings {
  const interruption = new AbortController();
  const interrupt = (signal: NodeJS.Signals) => {
    if (interruption.signal.aborted) process.exit(exitCodes.inconclusive);
    interruption.abort(new Error('interrupted', { cause: signal }));
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw new UsageError(`cannot write the output: ${error.message}`, { cause: error });
    });
  }
  let redact: Redact = (text) => text;
  return {
    env: process.env,
    cwd: process.cwd(),
    stdout: outletTo(process.stdout, (text) => redact(text)),
    stderr: outletTo(process.stderr, (text) => redact(text)),
    hide(more) {
      const before = redact;
      redact = (text) => more(before(text));
    },
    signal: interruption.signal,
    ask: questionsAt(process),
  };
}
