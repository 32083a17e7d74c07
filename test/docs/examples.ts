import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = new URL('../../', import.meta.url);

/** All plain JavaScript examples in the README and the guides, each with its file. */
export async function examples(): Promise<{ file: string; text: string }[]> {
  const files = ['README.md', 'docs/clients.md', 'docs/ci.md'];
  const found = files.map(async (file) => {
    const guide = await readFile(new URL(file, root), 'utf8');
    return [...guide.matchAll(/^```js\n(.*?)^```$/gms)].map(([, text = '']) => ({ file, text }));
  });
  return (await Promise.all(found)).flat();
}

/** Writes the examples into a folder and returns the file names. */
export async function writeExamples(folder: string, change = (text: string) => text): Promise<string[]> {
  const all = await examples();
  return Promise.all(
    all.map(async ({ text }, index) => {
      const name = `example-${index + 1}.mjs`;
      await writeFile(join(folder, name), change(text));
      return name;
    }),
  );
}
