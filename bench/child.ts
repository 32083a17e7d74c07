import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs a program and returns its wall time in milliseconds and its exit code. */
export async function timed(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ ms: number; code: number | null }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'ignore', env: { ...process.env, ...env } });
  const code = await new Promise<number | null>((ended) => child.once('exit', ended));
  return { ms: performance.now() - startedAt, code };
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
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const announced = JSON.parse(await firstLine(child));
  const { baseUrl } = announced;
  await (await fetch(baseUrl, { method: 'POST' })).text();
  const readyMs = performance.now() - startedAt;
  return {
    baseUrl,
    pid: child.pid ?? 0,
    announced,
    readyMs,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('exit', (code) => reject(new Error(`it exited with code ${code} before it listened`)));
    child.stdout?.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
  });
}
