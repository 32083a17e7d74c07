import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { clientResult } from '../../suites/recorded/client-result.ts';
import { isTriedWhole } from '../../suites/testing/whole.ts';
import type { PersonAnswers } from './person.ts';
import { provoke } from './provoke.ts';
import { good, type Language, mistakes, starts } from './testing/clients/table.ts';

const isThere = (language: Language) => spawnSync(starts[language][0], ['--version']).status === 0;
const missing = Object.keys(starts).filter((language) => !isThere(language as Language));

async function judged(language: Language, habit: string, only: string[] | undefined, person?: PersonAnswers) {
  const command = [...starts[language], habit];
  const options = { command, seed: 1, timeoutSeconds: 30, attended: false, person, only };
  const { played, trouble } = await provoke(options, {
    stop: new AbortController().signal,
    onScenario: () => undefined,
  });
  const run = { client: habit, seed: 1, startedAt: new Date(0), durationMs: 1, interrupted: false, trouble };
  const { requirements } = clientResult(played, run);
  const found = requirements.filter(({ status }) => status === 'failed' || status === 'warned' || status === 'errored');
  return { trouble, found: found.map(({ id, status }) => `${status} ${id}`) };
}

/** TCK_WHOLE=clients runs all clients; the default is a sample. */
const isAll = isTriedWhole('clients');
const sample = (_each: unknown, index: number) => isAll || index % 8 === 5;

for (const [language, mistake, scenarios, ...told] of mistakes.filter(sample)) {
  const findings = told.filter((each) => typeof each === 'string');
  const [person] = told.flatMap((each) => (typeof each === 'string' ? [] : [each.person]));
  const name = `a client in ${language}: ${mistake}, in ${scenarios}`;
  test.skipIf(missing.includes(language))(name, { timeout: 60_000 }, async () => {
    expect((await judged(language, mistake, scenarios.split(','), person)).found).toEqual(findings);
  });
}

for (const [language, habit, person] of good.filter(sample)) {
  const name = `a good client in ${language}: ${habit} ${person?.proposals ?? ''}`;
  test.skipIf(missing.includes(language))(name, { timeout: 60_000 }, async () => {
    expect(await judged(language, habit, undefined, person)).toEqual({ trouble: undefined, found: [] });
  });
}

test('there are sixty of them', () => {
  const different = new Set(mistakes.map(([language, mistake]) => `${language} ${mistake}`));
  expect(different.size).toBeGreaterThanOrEqual(45);
  expect(good.length).toBeGreaterThanOrEqual(15);
});
