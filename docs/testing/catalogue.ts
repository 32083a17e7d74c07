import { mkdirSync, writeFileSync } from 'node:fs';
import { explainedOf } from '../../cli/explained.ts';
import { requirements, type Topic, topics } from '../../fixtures/requirements/index.ts';
import { indexPage, topicPage } from '../../reports/catalogue.ts';
import type { Explained } from '../../reports/explain.ts';

/** Where the catalogue stands. */
export const catalogueFolder = new URL('../requirements/', import.meta.url);

/** The page of one topic. */
export async function pageOf(topic: Topic): Promise<string> {
  const explained: Explained[] = [];
  for (const { id } of requirements.filter((each) => each.topic === topic)) explained.push(await explainedOf(id));
  return topicPage(topic, explained);
}

/** The page that leads to all topics. */
export function contents(): string {
  const count = (topic: Topic) => requirements.filter((each) => each.topic === topic).length;
  return indexPage(new Map(topics.map((topic) => [topic, count(topic)])));
}

/** Writes these topics, or all, and the page that leads to them. */
if (import.meta.main) {
  mkdirSync(catalogueFolder, { recursive: true });
  const wanted = process.argv.slice(2);
  writeFileSync(new URL('README.md', catalogueFolder), contents());
  for (const topic of topics.filter((each) => wanted.length === 0 || wanted.includes(each))) {
    writeFileSync(new URL(`${topic}.md`, catalogueFolder), await pageOf(topic));
  }
}
