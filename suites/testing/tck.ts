import { type ChildProcess, spawn } from 'node:child_process';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { exitCodeOf } from '../../cli/process/exit-code.ts';
import { outletTo } from '../../cli/process/outlet.ts';
import { tck as runHere } from '../../cli/tck.ts';
import type { Redact } from '../history/redaction/redactor.ts';

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

/** Starts `tck` as its users do, and waits for its end. */
export function tckProcess(args: readonly string[], options?: TckOptions): Promise<Ended> {
  return startTck(args, options).ended;
}

/**
 * Runs `tck` to its end: in this process, which saves a second. A command that starts another (behind `--`) gives it
 * its own output and environment, and so gets a process.
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
    return outletTo(new Writable({ write }), (text) => redact(text));
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
    signal: new AbortController().signal,
  };
  const code = await exitCodeOf(() => runHere(args, around), around.stderr);
  // A run has the heap collected early, which slows whatever comes after it here.
  setFlagsFromString('--heap-growing-percent=0');
  return { code, ...output };
}
