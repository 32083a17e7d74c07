import { tck } from '../tck.ts';
import { exitCodeOf, reportFault } from './exit-code.ts';
import { surroundingsOf } from './surroundings.ts';

/** Runs the command of this process and sets its exit code. */
export async function main(process: NodeJS.Process): Promise<void> {
  const around = surroundingsOf(process);
  process.on('uncaughtException', (error) => process.exit(reportFault(error, around.stderr)));
  // Node.js exits if nothing is pending, even if the command has not finished. That must not look like success.
  process.exitCode = 3;
  process.exitCode = await exitCodeOf(() => tck(process.argv.slice(2), around), around.stderr);
}
