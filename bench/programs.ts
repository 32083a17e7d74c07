import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

const started = (args: readonly string[], stdio: SpawnOptions['stdio']) =>
  spawn(process.execPath, args, { cwd: root, stdio });

/** Runs a program and returns its wall time in milliseconds. Throws if the program fails. */
export async function timed(args: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const [code] = await once(started(args, 'ignore'), 'exit');
  if (code !== 0) throw new Error(`${args.join(' ')} exited with code ${code}`);
  return performance.now() - startedAt;
}

/** A server in a separate process. */
export interface Served {
  baseUrl: string;
  pid: number;
  /** The JSON line that the server printed when it was ready. */
  announced: Record<string, unknown>;
  /** Milliseconds from the start of the process to its first response. */
  readyMs: number;
  stop(): Promise<void>;
}

/** Starts a server that prints `{"baseUrl": …}` when it is ready, and waits for its first response. */
export async function serve(args: readonly string[]): Promise<Served> {
  const startedAt = performance.now();
  const child = started(args, ['ignore', 'pipe', 'inherit']);
  const ended = once(child, 'exit');
  if (child.stdout === null) throw new Error('the output is a pipe');
  const lines = createInterface({ input: child.stdout });
  const noLine = ended.then(([code]): never => {
    throw new Error(`it exited with code ${code} before it listened`);
  });
  const announced = JSON.parse((await Promise.race([once(lines, 'line'), noLine]))[0]);
  const { baseUrl } = announced;
  await (await fetch(baseUrl, { method: 'POST' })).text();
  const readyMs = performance.now() - startedAt;
  return {
    baseUrl,
    pid: child.pid ?? 0,
    announced,
    readyMs,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
