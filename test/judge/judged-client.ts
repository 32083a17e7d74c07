import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type ProvokeOptions, provoke } from '../../stub/judge/provoke.ts';
import { clientResult } from '../../suites/recorded/client-result.ts';

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The interpreter itself. On some machines, `python3` is a script that takes as long to find it as Python to start. */
const { stdout: interpreter } = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });

/** Start command of the clients in each language. The client in Python needs no installed packages (`-S`). */
export const starts = {
  python: [interpreter?.trim() || 'python3', '-S', file('../clients/client.py')],
  bash: ['bash', file('../clients/client.sh')],
  perl: ['perl', file('../clients/client.pl')],
} as const;

export type Language = keyof typeof starts;

/** Languages of clients that this machine cannot start. */
export const missingLanguages: readonly Language[] = (Object.keys(starts) as Language[]).filter(
  (language) => spawnSync(starts[language][0], ['--version']).status !== 0,
);

type JudgeOptions = Partial<Pick<ProvokeOptions, 'folder' | 'only' | 'person' | 'timeoutSeconds'>>;

/** Judges a client in scenarios. Returns why it was not judged, and the rules that it breaks. */
export async function judged(command: readonly string[], options: JudgeOptions) {
  const given = { folder: process.cwd(), seed: 1, timeoutSeconds: 30, ...options, command };
  const stop = new AbortController().signal;
  const { played, trouble } = await provoke(given, { stop, onScenario: () => undefined });
  const run = { client: '', seed: 1, startedAt: new Date(0), durationMs: 1, interrupted: false, trouble };
  const { requirements } = clientResult(played, run);
  return { trouble, broken: requirements.filter(({ status }) => /failed|warned|errored/.test(status)) };
}
