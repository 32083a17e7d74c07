import { resolve } from 'node:path';
import { plain } from '../reports/plain.ts';
import { fitted } from '../reports/terminal/layout.ts';
import { lookOf } from '../reports/terminal/look.ts';
import type { Catalogue } from '../suites/catalogue.ts';
import type { StoryFile } from '../suites/own-stories/load.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import type { Surroundings } from './process/surroundings.ts';

interface StoryOptions {
  readonly stories?: readonly string[] | undefined;
  readonly config?: string | undefined;
  /** False with --no-commands. */
  readonly commands?: boolean;
}

/** What a command can test, and the files of stories that it loaded. */
export interface LoadedCatalogue {
  readonly catalogue: Catalogue;
  readonly storyFiles: readonly StoryFile[];
}

/**
 * The catalogue of the kit with the stories of `--stories` and of the configuration. Runs the code of these files, and
 * prints those of the configuration before. Throws a UsageError for an invalid file.
 */
export async function catalogueOf(options: StoryOptions, around: Surroundings): Promise<LoadedCatalogue> {
  const configured = await configuredFiles(options, around);
  const { env, stderr } = around;
  if (configured.length > 0) {
    const text = `tck: ${options.config} loads these files and runs their code:\n${fileLines(configured).join('')}`;
    stderr.write(fitted(text, lookOf(stderr, env)));
  }
  return loaded([...namedFiles(options, around), ...configured]);
}

/** The catalogue with the stories of `--stories` only, and a notice for each file that the configuration names. */
export async function plannedCatalogueOf(
  options: StoryOptions,
  around: Surroundings,
): Promise<LoadedCatalogue & { notices: string[] }> {
  const named = namedFiles(options, around);
  const isNamed = new Set(named.map(({ path }) => path));
  const left = (await configuredFiles(options, around)).filter(({ path }) => !isNamed.has(path));
  const notices = left.map(({ name }) => `tck run loads the stories of ${plain(name)}; --stories counts them here`);
  return { ...(await loaded(named)), notices };
}

async function loaded(files: readonly StoryFile[]): Promise<LoadedCatalogue> {
  const storyFiles = [...new Map(files.map((file) => [file.path, file])).values()];
  // Large modules: help and usage errors do not wait for them.
  const { catalogueWith, kitCatalogue } = await import('../suites/catalogue.ts');
  if (storyFiles.length === 0) return { catalogue: kitCatalogue, storyFiles };
  const { loadStories } = await import('../suites/own-stories/load.ts');
  return { catalogue: catalogueWith(await loadStories(storyFiles)), storyFiles };
}

function namedFiles({ stories = [] }: StoryOptions, { cwd }: Surroundings): StoryFile[] {
  return stories.map((name) => ({ name, path: resolve(cwd, name) }));
}

/** The files that the configuration names. `--config FILE` is consent to load them, as to run its commands. */
async function configuredFiles(
  { config: path, commands = true }: StoryOptions,
  { cwd }: Surroundings,
): Promise<StoryFile[]> {
  if (path === undefined) return [];
  const { readConfigFile } = await import('../suites/target/config-file.ts');
  const { config, folder } = await readConfigFile(path, cwd);
  const files = (config.stories ?? []).map((name) => ({ name, path: resolve(folder, name) }));
  const [first] = files;
  if (first === undefined || commands) return files;
  throw new UsageError(`stories: expected no files because of --no-commands, got ${plain(first.name)}`);
}

function fileLines(files: readonly StoryFile[]): string[] {
  return files.map(({ name }, index) => `  stories[${index}]: ${plain(name, Number.POSITIVE_INFINITY)}\n`);
}
