import { inspect } from 'node:util';
import { printableLines } from '../../reports/plain.ts';
import { fitted } from '../../reports/terminal/layout.ts';
import { lookOf, type Screen } from '../../reports/terminal/look.ts';
import { exitCodes } from '../../suites/exit-codes.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';

type Terminal = NodeJS.WritableStream & Screen;

/** Runs a command and returns its exit code; wrong usage becomes one sentence, a fault of the kit becomes its stack. */
export async function exitCodeOf(command: () => Promise<number>, stderr: Terminal): Promise<number> {
  try {
    return await command();
  } catch (error) {
    return reportFault(error, stderr);
  }
}

/** Says on stderr why a command failed, and returns the exit code for it. */
export function reportFault(error: unknown, stderr: Terminal): number {
  if (error instanceof UsageError) {
    // A message may quote a name out of somebody's file.
    stderr.write(`${fitted(`tck: ${printableLines(error.message)}`, lookOf(stderr, process.env))}\n`);
    return exitCodes.usage;
  }
  const what = error instanceof Error ? inspect(error) : `${inspect(error)} was thrown`;
  stderr.write(`tck: this is an internal error of the kit; please report it\n${printableLines(what)}\n`);
  return exitCodes.inconclusive;
}
