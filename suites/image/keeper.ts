import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { getContainerRuntimeClient } from 'testcontainers';

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

/** Removes every container with the label `name=value`, running or not, with its volumes. Returns their number. */
export async function removeLabelled(label: string): Promise<number> {
  const { container } = await getContainerRuntimeClient();
  const containers = await container.dockerode.listContainers({ all: true, filters: { label: [label] } });
  await Promise.all(
    containers.map(({ Id }) => container.getById(Id).remove({ force: true, v: true }).catch(unlessGone)),
  );
  return containers.length;
}

function unlessGone(error: { statusCode?: number }): void {
  // 404: already removed. 409: removal is in progress.
  if (error.statusCode !== 404 && error.statusCode !== 409) throw error;
}
