import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { explainedOf } from '../../cli/explained.ts';
import { type Topic, topics } from '../../fixtures/requirements/model.ts';
import { indexPage, topicPage } from '../../reports/catalogue.ts';
import type { Explained } from '../../reports/explain.ts';
import { requirements } from '../../suites/requirements.ts';
import { stories } from '../../suites/topics/index.ts';

/** Folder of the generated catalogue. */
export const catalogueFolder = new URL('../../docs/requirements/', import.meta.url);

const root = new URL('../../', import.meta.url);

async function storyFiles(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const path of globSync('suites/topics/*/*.ts', { cwd: root })) {
    if (path.endsWith('.test.ts')) continue;
    const exported: Record<string, unknown> = await import(new URL(path, root).href);
    for (const each of stories.filter((story) => Object.values(exported).includes(story))) files.set(each.name, path);
  }
  return files;
}

/** Source file of each story, by story name. */
const files = await storyFiles();

/** Page of a topic. */
export async function pageOf(topic: Topic): Promise<string> {
  const explained: Explained[] = [];
  for (const { id } of requirements.filter((each) => each.topic === topic)) explained.push(await explainedOf(id));
  return topicPage(topic, explained, (story) => {
    const file = files.get(story);
    if (file === undefined) throw new Error(`no file of suites/topics exports the story '${story}'`);
    return file;
  });
}

/** Index page of all topics. */
export function contents(): string {
  const count = (topic: Topic) => requirements.filter((each) => each.topic === topic).length;
  return indexPage(new Map(topics.map((topic) => [topic, count(topic)])));
}

// Writes the pages of the given topics (default: all) and the index page.
if (import.meta.main) {
  mkdirSync(catalogueFolder, { recursive: true });
  const wanted = process.argv.slice(2);
  writeFileSync(new URL('README.md', catalogueFolder), contents());
  for (const topic of topics.filter((each) => wanted.length === 0 || wanted.includes(each))) {
    writeFileSync(new URL(`${topic}.md`, catalogueFolder), await pageOf(topic));
  }
}
