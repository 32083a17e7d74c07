import { type ChildProcess, type ExecFileOptions, execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { exitCodeOf } from '../cli/process/main.ts';
import { outletTo } from '../cli/process/surroundings.ts';
import { tck as runHere } from '../cli/tck.ts';
import type { Redact } from '../suites/exchange/redactor.ts';

const cli = fileURLToPath(new URL('../cli/main.ts', import.meta.url));

/** Exit code and complete output of a `tck` process. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface TckOptions {
  /** Complete environment except PATH. Keys in the machine's environment must not reach a test. */
  env?: Readonly<Record<string, string>>;
  cwd?: string;
}

/** Writes a program `tck` into a folder, which runs the sources of the kit. */
export const writeTck = (folder: string): Promise<void> =>
  writeFile(join(folder, 'tck'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`, { mode: 0o755 });

/** Runs a program and returns its exit code and its complete output. `hear` gets the process while it runs. */
export function ran(
  program: string,
  args: readonly string[],
  options: ExecFileOptions = {},
  hear: (child: ChildProcess) => void = () => undefined,
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { ...options, encoding: 'utf8' }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ code, stdout, stderr });
    });
    hear(child);
  });
}

/** A running `tck` process. */
export interface Running {
  child: ChildProcess;
  ended: Promise<Ended>;
  /** Resolves with the output so far once it contains the text this often. Rejects if the process ends first. */
  printed(text: string, times?: number): Promise<string>;
}

/** Starts `tck` from the sources, like its users do. */
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
    printed: (text, times = 1) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (output.stdout.split(text).length <= times) return;
          child.stdout.off('data', look);
          resolve(output.stdout);
        };
        child.stdout.on('data', look);
        child.once('close', () => reject(new Error(`tck ended before it printed '${text}': ${output.stderr}`)));
        look();
      }),
  };
}

/** Starts `tck` and waits until the process ends. */
export function tckProcess(args: readonly string[], options?: TckOptions): Promise<Ended> {
  return startTck(args, options).ended;
}

/**
 * Runs `tck` in this process, which saves a second, and returns when it ends. A command that starts another one (after
 * `--`) passes on its own output and environment, so it needs a process.
 */
export async function tck(args: readonly string[], options: TckOptions = {}): Promise<Ended> {
  if (args.includes('--')) return tckProcess(args, options);
  const { env = {}, cwd = process.cwd() } = options;
  const output = { stdout: '', stderr: '' };
  let redact: Redact = (text) => text;
  const outlet = (name: 'stdout' | 'stderr') => {
    const write = (chunk: Buffer, _encoding: BufferEncoding, done: () => void) => {
      output[name] += chunk;
      done();
    };
    const screen = Object.assign(new Writable({ write }), { columns: 80 });
    return outletTo(screen, (text) => redact(text));
  };
  const around = {
    env: { PATH: process.env.PATH, ...env },
    cwd,
    stdout: outlet('stdout'),
    stderr: outlet('stderr'),
    hide(more: Redact) {
      const before = redact;
      redact = (text) => more(before(text));
    },
    // Flags that save memory would slow down all tests of this process.
    setV8Flags: () => undefined,
    signal: new AbortController().signal,
  };
  const code = await exitCodeOf(() => runHere(args, around), around.stderr);
  return { code, ...output };
}
