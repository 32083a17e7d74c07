import { inspect } from 'node:util';
import { printableLines } from '../../reports/plain.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { exitCodes } from '../../suites/verdict.ts';
import { tck } from '../tck.ts';
import { surroundingsOf } from './surroundings.ts';

/** Runs the command of this process and sets its exit code. */
export async function main(process: NodeJS.Process): Promise<void> {
  const around = surroundingsOf(process);
  process.on('uncaughtException', (error) => process.exit(reportFault(error, around.stderr)));
  // Node.js exits if nothing is pending, even if the command has not finished. That must not look like success.
  process.exitCode = 3;
  process.exitCode = await exitCodeOf(() => tck(process.argv.slice(2), around), around.stderr);
}

/** Runs a command and returns its exit code. Prints usage errors as a sentence and internal errors with their stack. */
export async function exitCodeOf(command: () => Promise<number>, stderr: NodeJS.WritableStream): Promise<number> {
  try {
    return await command();
  } catch (error) {
    return reportFault(error, stderr);
  }
}

function reportFault(error: unknown, stderr: NodeJS.WritableStream): number {
  if (error instanceof UsageError) {
    // A message can quote text of a file, such as control characters.
    stderr.write(`tck: ${printableLines(error.message)}\n`);
    return exitCodes.usage;
  }
  const what = error instanceof Error ? inspect(error) : `${inspect(error)} was thrown`;
  stderr.write(`tck: this is an internal error of the kit; please report it\n${printableLines(what)}\n`);
  return exitCodes.inconclusive;
}
