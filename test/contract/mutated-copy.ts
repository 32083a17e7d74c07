import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { RunResult } from '../../suites/result.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Files that the kit needs at run time, without pages and reports of earlier runs. */
const parts = ['package.json', 'fixtures', 'suites', 'stub', 'reports', 'cli', 'test'];

/** A copy of the kit in its own folder, with one changed value of the contract and regenerated files. */
export class MutatedCopy implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tck-mutated-'));

  /** @param edits edits of files, relative to `fixtures/contract`; an empty `from` creates a file */
  constructor(...edits: readonly Readonly<Record<'file' | 'from' | 'to', string>>[]) {
    const isNeeded = (path: string) => !path.endsWith('.test.ts') && basename(path) !== '__snapshots__';
    for (const part of parts) cpSync(join(root, part), join(this.#folder, part), { recursive: true, filter: isNeeded });
    symlinkSync(join(root, 'node_modules'), join(this.#folder, 'node_modules'));
    for (const { file, from, to } of edits) {
      const path = join(this.#folder, 'fixtures/contract', file);
      const source = from === '' ? '' : readFileSync(path, 'utf8');
      if (from !== '' && source.split(from).length !== 2) throw new Error(`${file} holds '${from}' not once`);
      writeFileSync(path, source.replace(from, to));
    }
  }

  /** Regenerates the description and its validators. */
  async generate(): Promise<void> {
    await this.#node(['fixtures/contract/generate.ts']);
  }

  /** Runs the kit in the copy. */
  async run(args: readonly string[]): Promise<RunResult> {
    const out = join(this.#folder, 'report');
    await this.#node(['cli/main.ts', 'run', ...args, '--out', out]);
    return JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
  }

  /** Returns the output of `npm run detect` for some defects. */
  detect(defects: readonly string[]): Promise<string> {
    return this.#node(['test/detection/generate.ts', ...defects]);
  }

  /** Runs the kit against the third server and returns the IDs of the requirements that failed. */
  async runThirdServer(): Promise<readonly string[]> {
    return JSON.parse(await this.#node(['test/contract/third-server.ts']));
  }

  async #node(args: readonly string[]): Promise<string> {
    // A run with findings exits with 1.
    const compiled = join(this.#folder, 'compiled');
    const options = { cwd: this.#folder, env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compiled } };
    const ended = await promisify(execFile)(process.execPath, args, options).catch(
      (error: { code?: unknown; stdout?: string; stderr?: string }) => {
        if (error.code !== 1) throw new Error(`node ${args.join(' ')}: ${error.stderr}`);
        return { stdout: error.stdout ?? '' };
      },
    );
    return ended.stdout;
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }
}
