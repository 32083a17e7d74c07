import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { environmentFor } from '../../suites/target/embedded.ts';
import { ProgramFailed, signalGroup, startGroup, waitForGroup, whyNotStarted } from '../../suites/usage/program.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import type { World } from '../worlds/world.ts';

/** Returns the environment variables that describe a sandbox to a command. */
export function environmentOf(
  world: World,
  baseUrl: string,
  control: { readonly url: string; readonly token: string } | undefined,
): Record<string, string> {
  const { roles, keys, workspaces, shape } = world;
  const held = roles.map((role) => [role, keys[role]] as const);
  return {
    ...environmentFor({ baseUrl, keys: held, workspace: workspaces[0], shape }),
    ...(control && { TCK_CONTROL_URL: control.url, TCK_CONTROL_TOKEN: control.token }),
  };
}

export interface CommandOptions {
  readonly command: readonly string[];
  /** Added to the environment of this process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Working folder (default: that of this process). */
  readonly cwd?: string;
  readonly stop: AbortSignal;
  /** Receives the child process with piped input and output (default: the streams of this process). */
  readonly attach?: ((child: ChildProcess) => void) | undefined;
}

/** Time that a command gets to exit after the signal. */
const graceMs = 5000;

/**
 * Signals that the kit does not handle. Without a handler, they skip the `exit` event and leave the process group
 * running.
 */
const unhandled = ['SIGHUP', 'SIGQUIT'] as const;

/**
 * Runs a command and returns its exit code, or 128 plus the number of the signal that ended it. If `stop` aborts, its
 * process group gets the signal that interrupted this process, or SIGTERM. No process of the group outlives the command
 * or this process. Rejects with a UsageError if the command cannot be started.
 */
export async function runCommand({ command, env, cwd, stop, attach }: CommandOptions): Promise<number> {
  const stdio = attach === undefined ? 'inherit' : 'pipe';
  const child = start(command, { stdio, env: { ...process.env, ...env }, ...(cwd === undefined ? {} : { cwd }) });
  attach?.(child);
  const end = (): void => {
    signalGroup(child, interruptionIn(stop));
    setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs).unref();
  };
  const leave = (): void => {
    signalGroup(child, 'SIGKILL');
  };
  const exit = (signal: NodeJS.Signals): void => process.exit(128 + constants.signals[signal]);
  process.once('exit', leave);
  for (const signal of unhandled) process.once(signal, exit);
  stop.addEventListener('abort', end, { once: true });
  if (stop.aborted) end();
  try {
    const [code, signal] = await once(child, 'exit');
    if (!stop.aborted) signalGroup(child, 'SIGTERM');
    await waitForGroup(child, graceMs);
    return code ?? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
  } catch (error) {
    throw cannotStart(command, whyNotStarted(error));
  } finally {
    stop.removeEventListener('abort', end);
    process.removeListener('exit', leave);
    for (const signal of unhandled) process.removeListener(signal, exit);
  }
}

function start(command: readonly string[], options: SpawnOptions): ChildProcess {
  try {
    return startGroup(command, options);
  } catch (error) {
    if (error instanceof ProgramFailed) throw cannotStart(command, error.message);
    throw error;
  }
}

function cannotStart([program]: readonly string[], why: string): UsageError {
  return new UsageError(`cannot start '${program}': it ${why}`);
}

/** Returns the signal that interrupted this process (default: SIGTERM). */
function interruptionIn({ reason }: AbortSignal): 'SIGINT' | 'SIGTERM' {
  return reason instanceof Error && reason.cause === 'SIGINT' ? 'SIGINT' : 'SIGTERM';
}
