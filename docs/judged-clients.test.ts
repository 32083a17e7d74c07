import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { mistakes } from '../test/clients/table.ts';
import { judgedClientsFile, judgedClientsPage } from '../test/docs/judged-clients.ts';
import { sdkHabits, sdkHabitsFile, sdkHabitsPage } from '../test/docs/sdk-habits.ts';

test.each([
  ['judged-clients.md', judgedClientsFile, judgedClientsPage],
  ['sdk-habits.md', sdkHabitsFile, sdkHabitsPage],
])('%s is what its source generates', async (name, file, page) => {
  expect(await readFile(file, 'utf8'), `docs/project/${name} is stale: run npm run generate:clients`).toBe(page());
});

test.each(sdkHabits)('the judge is tested with the habit: $habit', ({ mistake, scenario, rule }) => {
  const tested = mistakes.filter(([, name, scenarios]) => name === mistake && scenarios.split(',').includes(scenario));
  expect(tested.flatMap(([, , , ...found]) => found)).toContainEqual(expect.stringContaining(rule));
});
