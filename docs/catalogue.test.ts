import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { topics } from '../fixtures/requirements/model.ts';
import { explainedBy } from '../reports/catalogue-place.ts';
import { requirements } from '../suites/requirements.ts';
import { catalogueFolder, contents, pageOf } from '../test/docs/catalogue.ts';
import { isTriedWhole } from '../test/whole.ts';

const stale = 'docs/requirements is stale: run npm run generate:requirements';
const read = (name: string) => readFile(new URL(name, catalogueFolder), 'utf8');

/** A topic that takes one second. `npm run prove` tests all topics. */
const tried = isTriedWhole() ? topics : (['race'] as const);

test('the catalogue leads to every topic, and explains every requirement where reports say', async () => {
  expect(await read('README.md'), stale).toBe(contents());
  for (const { id, topic, statement, ruling = '' } of requirements) {
    expect(explainedBy(id)[0]).toContain(`(docs/requirements/${topic}.md#${id.replaceAll('.', '')})`);
    const section = (await read(`${topic}.md`)).split(`\n## ${id}\n`)[1] ?? '';
    expect(section.startsWith(`\n> ${statement}\n`), `${id}: ${stale}`).toBe(true);
    expect(section.split('\n## ')[0], `${id}: ${stale}`).toContain(ruling);
  }
});

describe.each(tried)('%s', (topic) => {
  test('is what the stub shows today', { timeout: 120_000 }, async () => {
    expect(await read(`${topic}.md`), stale).toBe(await pageOf(topic));
  });
});
