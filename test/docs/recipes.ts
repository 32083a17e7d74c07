import { mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTck } from '../tck.ts';

export const recipes = await readFile(new URL('../../docs/recipes.md', import.meta.url), 'utf8');

/** Code block below a file name. */
export function recipe(name: string): string {
  const code = recipes.split(`\`${name}\`:\n`)[1]?.split(/^```.*$/m)[1];
  if (code === undefined) throw new Error(`no recipe ${name}`);
  return code.trimStart();
}

/** Creates a folder in which `node_modules/.bin/tck` runs the sources of the kit. */
export async function folderWithKit(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tck-recipes-'));
  const bin = join(folder, 'node_modules/.bin');
  await mkdir(bin, { recursive: true });
  await writeTck(bin);
  return folder;
}
