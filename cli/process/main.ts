import { tck } from '../tck.ts';
import { exitCodeOf, reportFault } from './exit-code.ts';
import { surroundingsOf } from './surroundings.ts';

/** Runs the command that this process was started for; the process then ends with the exit code of the command. */
export async function main(process: NodeJS.Process): Promise<void> {
  const around = surroundingsOf(process);
  process.on('uncaughtException', (error) => process.exit(reportFault(error, around.stderr)));
  // A process in which nothing happens any more ends by itself: that must not look like success.
  process.exitCode = 3;
  process.exitCode = await exitCodeOf(() => tck(process.argv.slice(2), around), around.stderr);
}
