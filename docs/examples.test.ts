import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tck } from '../suites/testing/tck.ts';
import { examples, writeExamples } from './testing/examples.ts';

test('examples in plain JavaScript run as they stand', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tck-examples-'));
  const sources = (text: string) =>
    text
      .replace("'content-workspace-tck/stub'", JSON.stringify(new URL('../stub/index.ts', import.meta.url).href))
      .replace("'content-workspace-tck'", JSON.stringify(new URL('../suites/index.ts', import.meta.url).href));
  const names = await writeExamples(folder, sources);
  expect(names.length).toBeGreaterThan(3);
  for (const name of names) {
    const { code, stderr } = await tck(['stub', '--control', '--', process.execPath, name], { cwd: folder });
    expect(code, `${name}: ${stderr}`).toBe(0);
  }
  await rm(folder, { recursive: true });
});

// .ci/run runs them on the oldest Node.js that works; this is what it does not know.
test('no example in plain JavaScript uses what the oldest Node.js does not know', async () => {
  for (const { file, text } of await examples()) expect(text, file).not.toMatch(/\busing\b/);
  for (const file of ['README.md', 'clients.md', 'ci.md']) {
    const guide = await readFile(new URL(file === 'README.md' ? '../README.md' : file, import.meta.url), 'utf8');
    expect(guide.replace(/^```ts\n.*?^```$/gms, ''), file).not.toContain('await using');
  }
});
