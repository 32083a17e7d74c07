import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

export const started = (args: readonly string[], stdio: SpawnOptions['stdio']) =>
  spawn(process.execPath, args, { cwd: root, stdio });

/** A server in a separate process. */
export interface Served extends AsyncDisposable {
  baseUrl: string;
  pid: number;
  /** The JSON line that the server printed when it was ready. */
  announced: Record<string, unknown>;
  /** Milliseconds from the start of the process to its first response. */
  readyMs: number;
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
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { baseUrl, pid: child.pid ?? 0, announced, readyMs, [Symbol.asyncDispose]: stop };
}

/** Median. For an even number of values, the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [lower = Number.NaN, upper = lower] = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
  return (lower + upper) / 2;
}

/** Median, then minimum and maximum in parentheses: `1228 (1174 to 1362)`. */
export function spread(values: readonly number[], digits = 0): string {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)].map((value) =>
    value.toFixed(digits),
  );
  return `${middle} (${least} to ${most})`;
}

/** Prints what was measured, with the target, and the results. */
export function told(about: string, rows: readonly object[]): void {
  console.log(`\n${about}`);
  console.table(rows);
}
