import { type ChildProcess, type SpawnOptions, spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import spawn from 'cross-spawn';
import { codeOf } from './read-file.ts';

/**
 * Starts a program with its arguments. On Windows, the program may be a script such as `npm.cmd`. Throws a
 * `ProgramFailed` if the name is invalid. If the program does not exist, the process emits an error.
 */
export function startProgram([program = '', ...args]: readonly string[], options: SpawnOptions): ChildProcess {
  try {
    return spawn(program, args, options);
  } catch (error) {
    throw new ProgramFailed(whyNotStarted(error));
  }
}

/**
 * Ends a program. Windows has no signals, so the whole process tree ends there, including programs started by a script.
 */
function stopProgram(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child;
  if (process.platform === 'win32' && pid !== undefined) {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
  } else {
    child.kill(signal);
  }
}

/** Error for a failed program. The message continues a sentence after the program's name and contains no output. */
export class ProgramFailed extends Error {
  override readonly name = 'ProgramFailed';
}

export interface RunOptions {
  cwd: string;
  env?: Readonly<Record<string, string | undefined>>;
  timeoutSeconds: number;
  signal?: AbortSignal | undefined;
}

/** Longer than any secret. */
const mostCharacters = 1024 * 1024;

/**
 * Runs a program without input and returns its output. Rejects with a `ProgramFailed` whose message says how the
 * program ended.
 */
export async function outputOf(command: readonly string[], options: RunOptions): Promise<string> {
  const { cwd, env = process.env, timeoutSeconds, signal } = options;
  const limit = AbortSignal.timeout(timeoutSeconds * 1000);
  const stop = signal === undefined ? limit : AbortSignal.any([limit, signal]);
  const child = startProgram(command, { cwd, env: { ...env }, stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    if (output.length <= mostCharacters) output += chunk;
  });
  return new Promise((fulfil, reject) => {
    const fail = (how: string) => reject(new ProgramFailed(how));
    const interrupt = () => {
      stopProgram(child, 'SIGKILL');
      // Do not wait for the output to close, because a child of the program may hold it open.
      fail(`did not finish within ${timeoutSeconds} seconds`);
    };
    stop.addEventListener('abort', interrupt, { once: true });
    if (stop.aborted) interrupt();
    child.on('error', (error) => fail(whyNotStarted(error)));
    child.on('close', (code, killedBy) => {
      stop.removeEventListener('abort', interrupt);
      if (code !== 0) fail(code === null ? `was killed by ${killedBy}` : `exited with code ${code}`);
      else if (output.length > mostCharacters) fail(`printed more than ${mostCharacters} characters`);
      else fulfil(output);
    });
  });
}

export function whyNotStarted(error: unknown): string {
  const code = codeOf(error) ?? 'unknown reason';
  return reasons[code] ?? `cannot be started (${code})`;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'was not found',
  EACCES: 'is not an executable file',
};

/** Windows has no process groups, so the process tree of the program ends instead. */
const hasGroups = process.platform !== 'win32';

/** Starts a program as the leader of a new process group, which includes all processes that it starts. */
export function startGroup(command: readonly string[], options: SpawnOptions): ChildProcess {
  return startProgram(command, { ...options, detached: hasGroups });
}

/** Sends a signal to all processes of a group, or no signal for 0. Returns whether the group has a process. */
export function signalGroup(leader: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  const { pid } = leader;
  if (pid === undefined) return false;
  if (!hasGroups) {
    if (signal !== 0) stopProgram(leader, signal);
    return false;
  }
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

const pollMs = 20;

/** Waits until all processes of a group have ended. After the grace period, kills those that remain. */
export async function waitForGroup(leader: ChildProcess, graceMs: number): Promise<void> {
  const end = performance.now() + graceMs;
  while (signalGroup(leader, 0)) {
    if (performance.now() > end) {
      signalGroup(leader, 'SIGKILL');
      return;
    }
    await wait(pollMs);
  }
}
