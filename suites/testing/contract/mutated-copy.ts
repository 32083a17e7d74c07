import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { RunResult } from '../../result.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** What the kit runs from. Pages and reports of earlier runs do not belong to it. */
const parts = ['package.json', 'fixtures', 'suites', 'stub', 'reports', 'cli'];

/** The kit with one value of the contract changed and its files generated again, in a folder of its own. */
export class MutatedCopy implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tck-mutated-'));

  /** @param edits files in `fixtures/contract`, or beside it; an empty `from` makes a new file */
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

  /** Writes the description and its validators again. */
  async generate(): Promise<void> {
    await this.#node(['fixtures/contract/generate.ts']);
  }

  /** Runs the kit of the copy. */
  async run(args: readonly string[]): Promise<RunResult> {
    const out = join(this.#folder, 'report');
    await this.#node(['cli/main.ts', 'run', ...args, '--out', out]);
    return JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
  }

  /** What `npm run detect` prints for some defects. */
  detect(defects: readonly string[]): Promise<string> {
    return this.#node(['suites/testing/detection/generate.ts', ...defects]);
  }

  async #node(args: readonly string[]): Promise<string> {
    // Exit codes say what the report says: a run that finds something ends with 1.
    const options = { cwd: this.#folder, env: { PATH: process.env.PATH } };
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
