import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { startProgram, stopProgram } from './program.ts';

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
