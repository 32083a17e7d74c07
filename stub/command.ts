import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { roleEnv } from '../fixtures/roles.ts';
import { UsageError } from '../fixtures/usage-error.ts';
import type { World } from './worlds/world.ts';

/** What a command finds in its environment about a world that it may call. */
export function environmentOf(
  world: World,
  baseUrl: string,
  control: { readonly url: string; readonly token: string } | null,
): Record<string, string> {
  const [workspace] = world.workspaces;
  return {
    TCK_BASE_URL: baseUrl,
    ...Object.fromEntries(world.roles.map((role) => [roleEnv(role), world.keys[role]])),
    ...(workspace === undefined ? {} : { TCK_WORKSPACE: workspace.slug, TCK_BOARD: workspace.board }),
    TCK_SHAPE: world.shape,
    ...(control === null ? {} : { TCK_CONTROL_URL: control.url, TCK_CONTROL_TOKEN: control.token }),
  };
}

export interface CommandOptions {
  readonly command: readonly string[];
  /** Comes on top of this process's own. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stop: AbortSignal;
  /** Where its output goes; this process's own unless told. */
  readonly stdio?: 'inherit' | ['ignore', number | 'ignore', number | 'ignore'] | undefined;
}

/** How long a command may take to end once it is told to. */
const graceMs = 5000;

/**
 * Runs a command to its end and gives its exit code; 128 and the number of the signal when one ended it. It is told to end when `stop`
 * aborts. Rejects with a UsageError when it cannot be started.
 */
export async function runCommand({ command, env, stop, stdio = 'inherit' }: CommandOptions): Promise<number> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio, env: { ...process.env, ...env } });
  const end = (): void => {
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), graceMs).unref();
  };
  stop.addEventListener('abort', end, { once: true });
  if (stop.aborted) end();
  try {
    const [code, signal] = await once(child, 'exit');
    return code ?? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
  } catch (error) {
    throw new UsageError(`cannot start '${program}': ${(error as NodeJS.ErrnoException).code ?? error}`);
  } finally {
    stop.removeEventListener('abort', end);
  }
}
