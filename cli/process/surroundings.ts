import { exitCodes } from '../../suites/exit-codes.ts';
import type { Redact } from '../../suites/history/redaction/redactor.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { questionsAt } from './ask.ts';
import { outletTo, type Stream } from './outlet.ts';

/** What a command finds around it; a test gives its own. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  /** Folder that relative paths start from. */
  cwd: string;
  stdout: Stream;
  stderr: Stream;
  /** Redacts everything that is printed from now on. */
  hide(redact: Redact): void;
  /** Aborted when the person interrupts the command; the cause of its reason is the name of the signal. */
  signal: AbortSignal;
  /** Asks the person at the terminal; absent where there is none, and then nothing needs an answer. */
  ask?: ((question: string) => Promise<string>) | undefined;
}

/**
 * The surroundings of this process. The first SIGINT or SIGTERM aborts the signal, so that a command can end in good
 * order; the second ends the process at once. A reader that goes away (`tck list | head`) ends nothing.
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
