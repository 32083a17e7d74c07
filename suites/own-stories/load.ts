import nodeModule from 'node:module';
import { pathToFileURL } from 'node:url';
import { isRecord } from '../json.ts';
import type { Story } from '../topics/story.ts';
import { megabyte, readText, whyNotRead } from '../usage/read-file.ts';
import { UsageError } from '../usage/usage-error.ts';

/** What story files import. In a checkout, the module is TypeScript. */
const specifier = 'content-workspace-tck/stories';
const entry = new URL(import.meta.url.replace(/own-stories\/load(\.[jt]s)$/, 'stories$1')).href;

/** A file of stories: its absolute path, and its name in errors. */
export interface StoryFile {
  readonly name: string;
  readonly path: string;
}

/** The stories that these files export. Runs the code of the files. Throws a UsageError that names the file. */
export async function loadStories(files: readonly StoryFile[]): Promise<Story[]> {
  const stories: Story[] = [];
  for (const { name: origin, path } of files) {
    const exported = await exportsOf(path, origin);
    stories.push(...storiesIn(exported, origin).map((story) => ({ ...story, origin })));
  }
  return stories;
}

async function exportsOf(path: string, origin: string): Promise<Readonly<Record<string, unknown>>> {
  await assertFile(path, origin);
  // The file gets the module of this kit: a second copy, or none, may be installed beside it.
  // Deno has no hooks, contrary to the types. There, the package must be installed beside the file.
  const { registerHooks }: Partial<typeof nodeModule> = nodeModule;
  const hooks = registerHooks?.({
    resolve: (wanted, context, next) =>
      wanted === specifier ? { url: entry, shortCircuit: true } : next(wanted, context),
  });
  try {
    const exported: unknown = await import(pathToFileURL(path).href);
    return isRecord(exported) ? exported : {};
  } catch (error) {
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new UsageError(`${origin}: the file of stories cannot be loaded. ${what}`);
  } finally {
    hooks?.deregister();
  }
}

/** Rejects a file that is not regular, or too large, before Node.js opens the file. */
async function assertFile(path: string, origin: string): Promise<void> {
  await readText(path, mostBytes).catch((error: unknown) => {
    throw new UsageError(`${origin}: the file of stories ${whyNotRead(error)}. Check the path.`);
  });
}

const mostBytes = 4 * megabyte;

/** The stories among the exports, also in arrays. Other exports, such as functions, are ignored. */
function storiesIn(exported: Readonly<Record<string, unknown>>, origin: string): Story[] {
  const stories = new Set(Object.values(exported).flat().filter(isStory));
  if (stories.size > 0) return [...stories];
  throw new UsageError(`${origin}: no export is a story. Write: export default story('name', { … }).`);
}

function isStory(value: unknown): value is Story {
  return (
    isRecord(value) &&
    typeof value.name === 'string' &&
    typeof value.steps === 'function' &&
    Array.isArray(value.requirements) &&
    Array.isArray(value.witnesses)
  );
}
