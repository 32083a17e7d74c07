import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
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

/** Runs a program and returns its output, exit code, wall time, CPU time and peak memory. Requires Linux. */
export async function measured(args: readonly string[]) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  let [peakMb, ticks] = [0, 0];
  const look = setInterval(async () => {
    const [status = '', stat = ''] = await Promise.all(
      ['status', 'stat'].map((name) => readFile(`/proc/${child.pid}/${name}`, 'utf8').catch(() => '')),
    );
    peakMb = Math.max(peakMb, Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024));
    const [user = 0, system = 0] = stat.split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? [];
    ticks = Math.max(ticks, user + system);
  }, 20);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const output = await text(child.stdout);
  const code = await ended;
  clearInterval(look);
  // Linux reports CPU time in ticks of 10 ms.
  const seconds = (performance.now() - startedAt) / 1000;
  return { code, output, seconds, processorSeconds: ticks / 100, peakMb };
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
