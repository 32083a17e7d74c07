import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { judgeClient } from '../cli/judge.ts';
import type { RunResult } from '../suites/result.ts';

type Options = Parameters<typeof judgeClient>[0];

const options = {
  ...{ timeout: 30, mcp: false, failOnAdvice: false },
  ...{ jobs: undefined, repeat: undefined, scenario: undefined, person: undefined, require: undefined },
};

/** Judges a client that runs in `folder`. The report is in a new subfolder. */
export async function judged(folder: string, command: readonly string[], more: Partial<Options> = {}) {
  const out = await mkdtemp(join(folder, 'report-'));
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const texts = { stdout: '', stderr: '' };
  stdout.on('data', (chunk) => (texts.stdout += chunk));
  stderr.on('data', (chunk) => (texts.stderr += chunk));
  const { signal } = new AbortController();
  const around = { env: {}, cwd: folder, stdout, stderr, hide: () => {}, setV8Flags: () => {}, signal };
  const given = { ...options, program: command, out, ...more };
  const code = await judgeClient(given, around);
  const result: RunResult = JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
  const withStatus = (status: string) => result.requirements.filter((one) => one.status === status).map(({ id }) => id);
  return { code, out, result, withStatus, ...texts };
}
