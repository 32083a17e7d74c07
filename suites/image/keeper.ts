import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { removeLabelled } from './remove.ts';

/** Removes what carries a label: when it is told to, or by itself when this process ends in whatever way. */
export interface Keeper {
  remove(): Promise<void>;
}

// Sources run as they are, and the built package has JavaScript only.
const watch = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './watch.ts' : './watch.js', import.meta.url));

/**
 * Starts a process that outlives this one and removes every container with the label once this one is gone: even a
 * SIGKILL then leaves nothing running. It must be there before the container is.
 */
export function keepTidy(label: string): Keeper {
  const watcher = spawn(process.execPath, [watch, label], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  watcher.on('error', () => {}); // without it, only a killed kit leaves something behind
  watcher.stdin.on('error', () => {});
  watcher.unref();
  return {
    async remove() {
      await removeLabelled(label);
      watcher.stdin.end('done');
    },
  };
}
