import { expect, test } from 'vitest';
import { requirements } from '../../suites/requirements.ts';
import { detectionPage } from './page.ts';

const [first, second] = requirements.map(({ id }) => id);

test('a requirement has one row: what fails for it, and what is hidden from it', () => {
  const page = detectionPage([
    {
      id: 'beta-header-says-true',
      what: 'sends another value',
      caughtBy: first === undefined ? [] : [first],
      hidden: second === undefined ? [] : [second],
      blamed: [],
      errored: [],
    },
  ]);
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith(`| \`${first}\``) || line.startsWith(`| \`${second}\``));
  expect(rows).toEqual([
    `| \`${first}\` | \`beta-header-says-true\` |  |`,
    `| \`${second}\` |  | \`beta-header-says-true\` |`,
  ]);
  expect(page).not.toMatch(/^\| \d+ \|/m);
});
