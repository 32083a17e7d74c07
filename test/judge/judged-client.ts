import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { PersonAnswers } from '../../stub/judge/person.ts';
import { provoke } from '../../stub/judge/provoke.ts';
import { clientResult } from '../../suites/recorded/client-result.ts';

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Start command of the clients in each language. */
export const starts = {
  python: ['python3', file('../clients/client.py')],
  bash: ['bash', file('../clients/client.sh')],
  perl: ['perl', file('../clients/client.pl')],
} as const;

export type Language = keyof typeof starts;

/** Languages of clients that this machine cannot start. */
export const missingLanguages: readonly Language[] = (Object.keys(starts) as Language[]).filter(
  (language) => spawnSync(starts[language][0], ['--version']).status !== 0,
);

export interface JudgeOptions {
  readonly seed?: number;
  /** Scenarios to run (default: all). */
  readonly only?: readonly string[] | undefined;
  readonly person?: PersonAnswers | undefined;
}

interface JudgedHabit {
  /** Why the client was not judged. */
  readonly trouble: string | undefined;
  readonly broken: string[];
  /** What each finding says, with its scenarios. */
  readonly details: string[];
  readonly scenarios: number;
  readonly requests: number;
}

/** Runs a client of the table and returns the rules that it breaks. */
export async function judged(
  language: Language,
  habit: string,
  { seed = 1, only, person }: JudgeOptions = {},
): Promise<JudgedHabit> {
  const command = [...starts[language], habit];
  const options = { command, folder: process.cwd(), seed, timeoutSeconds: 30, person, only };
  const { played, trouble } = await provoke(options, {
    stop: new AbortController().signal,
    onScenario: () => undefined,
  });
  const run = { client: habit, seed, startedAt: new Date(0), durationMs: 1, interrupted: false, trouble };
  const { requirements, summary } = clientResult(played, run);
  const broken = requirements.filter(
    ({ status }) => status === 'failed' || status === 'warned' || status === 'errored',
  );
  return {
    trouble,
    broken: broken.map(({ id, status }) => `${status} ${id}`),
    details: broken.flatMap(({ id, status, reason, findings }) =>
      findings.length === 0
        ? [`${status} ${id}: ${reason}`]
        : findings.map(({ actual, scenarios = [] }) => `${status} ${id}: ${actual} (${scenarios.join(', ')})`),
    ),
    scenarios: played.length,
    requests: summary.requests,
  };
}
