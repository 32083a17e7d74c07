import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { examples, writeExamples } from '../test/docs/examples.ts';
import { tck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const folder = temporaryFolder();

/** The text with the sources of the kit in place of the package. */
const sources = (text: string) =>
  Object.entries({
    'content-workspace-tck/stub': '../stub/index.ts',
    'content-workspace-tck/node-test': '../suites/test-runners/node-test.ts',
    'content-workspace-tck': '../suites/index.ts',
  }).reduce((all, [name, path]) => all.replace(`'${name}'`, JSON.stringify(new URL(path, import.meta.url).href)), text);

test('examples in plain JavaScript run as they stand', async () => {
  const names = await writeExamples(folder, sources);
  expect(names.length).toBeGreaterThan(3);
  for (const name of names) {
    const { code, stderr } = await tck(['stub', '--control', '--', process.execPath, name], { cwd: folder });
    expect(code, `${name}: ${stderr}`).toBe(0);
  }
});

// .ci/run also runs the examples with the oldest supported Node.js, which does not support `using`.
test('no example in plain JavaScript uses what the oldest Node.js does not know', async () => {
  for (const { file, text } of await examples()) expect(text, file).not.toMatch(/\busing\b/);
  for (const file of ['README.md', 'clients.md', 'ci.md']) {
    const guide = await readFile(new URL(file === 'README.md' ? '../README.md' : file, import.meta.url), 'utf8');
    expect(guide.replace(/^```ts\n.*?^```$/gms, ''), file).not.toContain('await using');
  }
});
