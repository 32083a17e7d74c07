import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

/** How a process of `tck` ended, and all that it printed. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface TckOptions {
  /** The whole environment but for PATH: a key of the machine at hand must not reach a test. */
  env?: Readonly<Record<string, string>>;
  cwd?: string;
}

/** A process of `tck` that is still running. */
export interface Running {
  child: ChildProcess;
  ended: Promise<Ended>;
  /** Resolves with what was printed so far, once it holds the text; rejects when the process ends before. */
  printed(text: string): Promise<string>;
}

/** Starts `tck` as its users do, from the sources. */
export function startTck(args: readonly string[], { env = {}, cwd }: TckOptions = {}): Running {
  const child = spawn(process.execPath, [cli, ...args], {
    env: { PATH: process.env.PATH, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, ...output })));
  return {
    child,
    ended,
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (output.stdout.includes(text)) resolve(output.stdout);
        };
        child.stdout.on('data', look);
        child.once('close', () => reject(new Error(`tck ended before it printed '${text}': ${output.stderr}`)));
        look();
      }),
  };
}

/** Runs `tck` to its end. */
export function tck(args: readonly string[], options?: TckOptions): Promise<Ended> {
  return startTck(args, options).ended;
}
