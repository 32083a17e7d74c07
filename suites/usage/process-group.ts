import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { startProgram, stopProgram } from './program.ts';

/** Windows has no process groups; there, the tree of the program is ended. */
const hasGroups = process.platform !== 'win32';

/** Starts a program as the leader of a process group of its own, which then holds everything that it starts. */
export function startGroup(command: readonly string[], options: SpawnOptions): ChildProcess {
  return startProgram(command, { ...options, detached: hasGroups });
}

/** Sends a signal to all processes of a group; 0 sends none. Returns whether the group has a process. */
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

/** Waits until no process of a group is left, and kills those that take longer than the grace period. */
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
