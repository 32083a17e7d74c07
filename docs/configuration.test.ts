import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { configurationFile, configurationPage } from './testing/configuration.ts';

test('docs/configuration.md is what the schema generates; npm run generate renews it', async () => {
  const page = await readFile(configurationFile, 'utf8');
  expect(page).toBe(configurationPage());
  for (const member of ['baseUrl', 'keys.ROLE.env', 'workspaces[].board', 'clock.advance.command', 'pace.maxBurst']) {
    expect(page).toContain(`| \`${member}\` | `);
  }
});
