import { exitCodeOfRun } from '../reports/exit-code.ts';
import { reportFolder, setAsideReport } from '../reports/folder.ts';
import { counted } from '../reports/status-words.ts';
import { lookOf } from '../reports/terminal/look.ts';
import { renderSummary } from '../reports/terminal/summary.ts';
import { writeReports } from '../reports/write.ts';
import type { Played } from '../stub/judge/provoke.ts';
import { clientResult } from '../suites/recorded/client-result.ts';
import { command } from './command-line/command.ts';
import type { Given } from './command-line/declaration.ts';
import { flag, integer } from './command-line/option.ts';
import { out, seed } from './options.ts';
import type { Surroundings } from './process/surroundings.ts';

const judgeOptions = {
  out,
  seed,
  timeout: integer('Stop one run of the client after this many seconds', 1, 3600, 60),
  attended: flag('Require an approval over the control plane for what the client confirms'),
};

export const judge = command({
  name: 'judge',
  options: judgeOptions,
  program: 'required',
  examples: [['tck judge -- node client.mjs', 'Run the client in every scenario and judge what it sends']],
  prepare: (out, { cwd }) => setAsideReport(out, cwd),
  run: (given, around) => judgeClient(given, around),
});

/** The client's own output stays out of the verdict's. */
const standardError = 2;

/**
 * Runs a client in scenarios, writes the report and prints a summary. Returns the exit code of the run. `output` is the
 * file descriptor for what the client prints. Throws a UsageError for a program that cannot be started.
 */
export async function judgeClient(
  { program, seed, timeout, attended, ...options }: Given<typeof judgeOptions>,
  around: Surroundings,
  output: number | 'ignore' = standardError,
): Promise<number> {
  const outDir = await reportFolder(options.out, around.cwd);
  const startedAt = new Date();
  const { provoke } = await import('../stub/judge/provoke.ts');
  const { played, trouble } = await provoke(
    { command: program, seed, timeoutSeconds: timeout, attended },
    { stop: around.signal, output, onScenario: ({ what }, one) => tell(what, one, around) },
  );
  const result = clientResult(played, {
    client: program.join(' '),
    seed,
    startedAt,
    durationMs: Date.now() - startedAt.getTime(),
    interrupted: around.signal.aborted,
    trouble,
    notices: noticesOf(played),
  });
  await writeReports(result, outDir);
  const look = lookOf(around.stdout, around.env);
  around.stdout.write(renderSummary(result, { ...look, reportDir: options.out }));
  return exitCodeOfRun(result);
}

function tell(what: string, { run, history }: Played, { stderr }: Surroundings): void {
  const requests = counted(history.exchanges.length, 'request');
  stderr.write(`The client ${what}: ${requests}, ${endOf(run)}\n`);
}

function endOf({ exitCode }: Played['run']): string {
  return exitCode === null ? 'stopped, since it took too long' : `exit code ${exitCode}`;
}

function noticesOf(played: readonly Played[]): string[] {
  const ends = played.flatMap(({ name, run }) =>
    run.exitCode === 0 ? [] : [`in the scenario '${name}' the client ended: ${endOf(run)}`],
  );
  const cut = played.some(({ history }) => !history.knowledge.complete);
  return cut ? [...ends, 'there were too many requests to remember all, and those forgotten are not judged'] : ends;
}
