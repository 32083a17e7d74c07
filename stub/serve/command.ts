import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { environmentFor } from '../../suites/target/environment.ts';
import { ProgramFailed, startProgram, stopProgram, whyNotStarted } from '../../suites/usage/program.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import type { World } from '../worlds/world.ts';

/** What a command finds in its environment about a world that it may call. */
export function environmentOf(
  world: World,
  baseUrl: string,
  control: { readonly url: string; readonly token: string } | null,
): Record<string, string> {
  const { roles, keys, workspaces, shape } = world;
  const held = roles.map((role) => [role, keys[role]] as const);
  return {
    ...environmentFor({ baseUrl, keys: held, workspace: workspaces[0], shape }),
    ...(control === null ? {} : { TCK_CONTROL_URL: control.url, TCK_CONTROL_TOKEN: control.token }),
  };
}

export interface CommandOptions {
  readonly command: readonly string[];
  /** Comes on top of this process's own. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stop: AbortSignal;
  /** Takes its input and its output; they are this process's own unless this is given. */
  readonly attach?: ((child: ChildProcess) => void) | undefined;
}

/** How long a command may take to end once it is told to. */
const graceMs = 5000;

/**
 * Runs a command to its end and gives its exit code; 128 and the number of the signal when one ended it. It is told to
 * end when `stop` aborts, by the signal that interrupted this process if one did. Rejects with a UsageError when it
 * cannot be started.
 */
export async function runCommand({ command, env, stop, attach }: CommandOptions): Promise<number> {
  const child = start(command, { stdio: attach === undefined ? 'inherit' : 'pipe', env: { ...process.env, ...env } });
  attach?.(child);
  const end = (): void => {
    const signal = interruptionIn(stop);
    // A terminal has told everything that runs in it already, and twice means something else to many.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) stopProgram(child, signal);
    setTimeout(() => stopProgram(child, 'SIGKILL'), graceMs).unref();
  };
  // What ends this process at once leaves nothing behind.
  const leave = (): void => stopProgram(child, 'SIGKILL');
  process.once('exit', leave);
  stop.addEventListener('abort', end, { once: true });
  if (stop.aborted) end();
  try {
    const [code, signal] = await once(child, 'exit');
    return code ?? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
  } catch (error) {
    throw cannotStart(command, whyNotStarted(error));
  } finally {
    stop.removeEventListener('abort', end);
    process.removeListener('exit', leave);
  }
}

function start(command: readonly string[], options: SpawnOptions): ChildProcess {
  try {
    return startProgram(command, options);
  } catch (error) {
    if (error instanceof ProgramFailed) throw cannotStart(command, error.message);
    throw error;
  }
}

function cannotStart([program]: readonly string[], why: string): UsageError {
  return new UsageError(`cannot start '${program}': it ${why}`);
}

/** The signal that a process was interrupted by is passed on; where nothing else is known, an end is asked for. */
function interruptionIn({ reason }: AbortSignal): 'SIGINT' | 'SIGTERM' {
  return reason instanceof Error && reason.cause === 'SIGINT' ? 'SIGINT' : 'SIGTERM';
}
