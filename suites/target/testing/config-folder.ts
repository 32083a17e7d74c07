import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own for one test, with the files given; objects are written as JSON. Gone when it is disposed of. */
export async function configFolder(
  files: Readonly<Record<string, unknown>>,
): Promise<{ path: string; file(name: string): string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'tck-config-'));
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(path, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
