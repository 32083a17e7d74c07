import { setFlagsFromString } from 'node:v8';
import { printableLines } from '../../reports/plain.ts';
import type { Redact } from '../../suites/exchange/redactor.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { exitCodes } from '../../suites/verdict.ts';

/** The environment of a command: streams, variables, folder, interruption. Tests pass their own. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  /** Base folder of relative paths. */
  cwd: string;
  stdout: Stream;
  stderr: Stream;
  /** Redacts all further output. */
  hide(redact: Redact): void;
  /** Sets flags of V8 for the whole process, such as flags that save memory. */
  setV8Flags(...flags: readonly string[]): void;
  /** Aborted when the person interrupts the command. The cause of its reason is the name of the signal. */
  signal: AbortSignal;
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
    setV8Flags(...flags) {
      for (const flag of flags) setFlagsFromString(flag);
    },
    signal: interruption.signal,
  };
}

export type Stream = NodeJS.WritableStream & { isTTY?: boolean };

/**
 * Control sequences of the kit: colors, cursor movement, erased lines and hidden cursor. The only other control
 * character that the kit writes is the line feed.
 */
const controlSequence = new RegExp(`(${String.fromCharCode(0x1b)}\\[(?:[\\d;]*m|\\d*[AGK]|\\?(?:25|2026)[hl]))`);

/**
 * A stream that replaces secrets and control characters in everything that a command prints. A terminal still gets the
 * control sequences of the kit itself.
 */
export function outletTo(stream: Stream, redact: (text: string) => string): Stream {
  const write = (chunk: string | Uint8Array, ...rest: never[]): boolean =>
    stream.write(typeof chunk === 'string' ? safe(redact(chunk), stream.isTTY === true) : chunk, ...rest);
  return new Proxy(stream, {
    get(target, name) {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function safe(text: string, isTerminal: boolean): string {
  if (!isTerminal) return printableLines(text);
  const parts = text.split(controlSequence);
  return parts.map((part, index) => (index % 2 === 1 ? part : printableLines(part))).join('');
}
