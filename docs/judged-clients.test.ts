import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { judgedClientsFile, judgedClientsPage } from './testing/judged-clients.ts';

test('the page lists the clients of the tests', async () => {
  const stale = 'docs/project/judged-clients.md is stale: run npm run generate:clients';
  expect(await readFile(judgedClientsFile, 'utf8'), stale).toBe(judgedClientsPage());
});
