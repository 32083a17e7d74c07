import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { forms } from '../test/forms.ts';

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');
const guide = await read('security.md');
const lines = [...guide.matchAll(/^\| (?<promise>[^|]+) \| `(?<file>[^`]+)`: (?<title>.+) \|$/gm)].map(
  ({ groups }) => groups as { promise: string; file: string; title: string },
);

test('every promise names a test', () => {
  const rows = guide.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Promise'));
  expect(lines.map(({ promise }) => promise)).toHaveLength(rows.length);
  expect(rows.length).toBeGreaterThan(20);
});

test.each(lines)('$file has the test: $title', async ({ file, title }) => {
  expect(await read(`../${file}`)).toContain(`'${title}'`);
});

test('the forms in which a key is found are listed, and no others', () => {
  const [, list = ''] = /finds keys in these encodings:\n\n((?:- .*\n)+)/.exec(guide) ?? [];
  expect(list.trim().split('\n')).toEqual(forms.map(({ what }) => `- ${what}`));
});
