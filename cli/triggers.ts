import { glob, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { matchesGlob, relative, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isLoopback } from '../suites/target/base-url.ts';

/** A server on this machine can restart within a fraction of a second. */
const serverPollMs = { loopback: 100, other: 1000 };
const filesPollMs = 500;
const connectPatienceMs = 2000;

/**
 * Resolves when the server at a URL accepts connections after it refused one. Sends no request, so that it counts
 * towards no rate limit. Rejects when the signal aborts.
 */
export async function serverIsBack(url: string, signal: AbortSignal): Promise<void> {
  const pollMs = isLoopback(url) ? serverPollMs.loopback : serverPollMs.other;
  let wasDown = false;
  for (;;) {
    const isUp = await accepts(new URL(url));
    if (isUp && wasDown) return;
    wasDown ||= !isUp;
    await wait(pollMs, undefined, { signal });
  }
}

function accepts({ hostname, port, protocol }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({
      host,
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
      timeout: connectPatienceMs,
    });
    const end = (isUp: boolean) => {
      socket.destroy();
      resolve(isUp);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

/** The time of the last change of each file, by path. */
export type FileTimes = ReadonlyMap<string, number>;

/** Files to watch. */
export interface WatchedFiles {
  readonly pattern: string;
  readonly cwd: string;
  /** Folder of the report, whose files do not count. */
  readonly out: string;
}

/**
 * Resolves with the path of a file that was changed, added or removed since `before`. Rejects when the signal aborts.
 */
export async function fileChanged(files: WatchedFiles, before: FileTimes, signal: AbortSignal): Promise<string> {
  for (;;) {
    await wait(filesPollMs, undefined, { signal });
    const now = await timesOf(files);
    const changed = [...now.keys(), ...before.keys()].find((path) => now.get(path) !== before.get(path));
    if (changed !== undefined) return changed;
  }
}

/** Returns the time of the last change of each file that the pattern matches. */
export async function timesOf({ pattern, cwd, out }: WatchedFiles): Promise<FileTimes> {
  const own = relative(cwd, resolve(cwd, out));
  const skipped = ['**/node_modules', '**/.git', own];
  const exclude = (path: string) => skipped.some((each) => path === each || matchesGlob(path, each));
  const times = new Map<string, number>();
  for await (const path of glob(pattern, { cwd, exclude })) {
    // A file can disappear at any moment.
    const found = await stat(resolve(cwd, path)).catch(() => undefined);
    if (found?.isFile() === true) times.set(path, found.mtimeMs);
  }
  return times;
}
