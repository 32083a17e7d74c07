import type { Session } from '../../fixtures/judgement.ts';
import { exitCodes, type Surroundings } from '../../fixtures/process.ts';
import { UsageError } from '../../fixtures/usage-error.ts';
import { lookOf } from '../terminal/look.ts';
import { renderSummary } from '../terminal/summary.ts';
import { reportFolder, writeReports } from '../write.ts';
import { type Judged, judgedResult } from './result.ts';

/** Options of `tck judge`, as they come from the command line. */
export interface JudgeOptions {
  /** The client: a program with its arguments. */
  readonly command: readonly string[];
  readonly out: string;
  readonly seed: number;
  /** Seconds that one run of the client may take. */
  readonly timeout: number;
  readonly attended: boolean;
}

export interface Provocation {
  readonly command: readonly string[];
  readonly seed: number;
  readonly timeoutSeconds: number;
  readonly attended: boolean;
}

export interface JudgeSources extends Surroundings {
  /** Runs the client in every scene. `output` is the file descriptor for what the client prints. */
  provoke(
    options: Provocation,
    io: {
      stop: AbortSignal;
      output: number;
      onScene: (scene: { readonly what: string }, session: Session) => void;
    },
  ): Promise<Judged>;
}

/**
 * The body of `tck judge`: runs a client where everything happens to it that the document has a rule for, writes the report and tells what
 * came of it. Gives the exit code of the verdict. Throws a UsageError for a command that is missing or cannot be started.
 */
export async function judgeClient(options: JudgeOptions, around: JudgeSources): Promise<number> {
  const { command, seed, timeout, attended } = options;
  if (command.length === 0) throw new UsageError('the client is missing: tck judge -- <command>');
  const outDir = await reportFolder(options.out, around.cwd);
  const startedAt = new Date();
  const judged = await around.provoke(
    { command, seed, timeoutSeconds: timeout, attended },
    { stop: around.signal, output: standardError, onScene: (scene, session) => tell(scene.what, session, around) },
  );
  const result = judgedResult(judged, {
    client: command.join(' '),
    seed,
    startedAt,
    durationMs: Date.now() - startedAt.getTime(),
    interrupted: around.signal.aborted,
  });
  await writeReports(result, outDir);
  const look = lookOf(around.stdout, around.env);
  around.stdout.write(renderSummary(result, { ...look, reportDir: options.out }));
  return exitCodes[result.verdict];
}

/** The client's own output stays out of the verdict's. */
const standardError = 2;

function tell(what: string, { command, events }: Session, { stderr }: Surroundings): void {
  const calls = events.filter(({ kind }) => kind === 'exchange').length;
  const end = command?.exitCode ?? 'no exit code in time';
  stderr.write(`The client ${what}: ${calls} calls, ended with ${end}\n`);
}
