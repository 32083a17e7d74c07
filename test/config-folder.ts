import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder with the given files for one test. Objects are written as JSON. Disposal deletes the folder. */
export async function configFolder(
  files: Readonly<Record<string, unknown>>,
): Promise<{ path: string; file(name: string): string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'tck-config-'));
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(path, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const dispose = () => rm(path, { recursive: true, force: true });
  return { path, file: (name) => join(path, name), [Symbol.asyncDispose]: dispose };
}
