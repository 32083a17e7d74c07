import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { targetConfig } from '../fixtures/target-config.ts';
import { configurationFile, configurationPage, exampleConfiguration } from '../test/docs/configuration.ts';

test('docs/configuration.md is what the schema generates; npm run generate renews it', async () => {
  const page = await readFile(configurationFile, 'utf8');
  expect(page).toBe(configurationPage());
  for (const member of ['baseUrl', 'keys.ROLE.env', 'workspaces[].board', 'clock.advance.command', 'pace.maxBurst']) {
    expect(page).toContain(`| \`${member}\` | `);
  }
  expect(targetConfig.safeParse(JSON.parse(exampleConfiguration))).toMatchObject({ success: true });
});
