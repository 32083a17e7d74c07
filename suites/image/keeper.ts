import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { removeLabelled } from './remove.ts';

/** Removes the containers with a label, on request or when this process ends for any reason. */
interface Keeper {
  remove(): Promise<void>;
}

// Sources run as TypeScript. The built package contains only JavaScript.
const watch = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './watch.ts' : './watch.js', import.meta.url));

/**
 * Starts a process that outlives this one and then removes every container with the label. It cleans up even after a
 * SIGKILL, so start it before the container.
 */
export function keepTidy(label: string): Keeper {
  const watcher = spawn(process.execPath, [watch, label], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  watcher.on('error', () => {}); // without the watcher, only a killed kit leaves containers behind
  watcher.stdin.on('error', () => {});
  watcher.unref();
  return {
    async remove() {
      await removeLabelled(label);
      watcher.stdin.end('done');
    },
  };
}
