import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { explainedOf } from '../../cli/explained.ts';
import { requirements, type Topic, topics } from '../../fixtures/requirements/index.ts';
import { indexPage, topicPage } from '../../reports/catalogue.ts';
import type { Explained } from '../../reports/explain.ts';
import { flows } from '../../suites/flows/index.ts';

/** Where the catalogue stands. */
export const catalogueFolder = new URL('../requirements/', import.meta.url);

const root = new URL('../../', import.meta.url);

async function flowFiles(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const name of readdirSync(new URL('suites/flows/', root))) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts') || name === 'index.ts') continue;
    const path = `suites/flows/${name}`;
    const exported: Record<string, unknown> = await import(new URL(path, root).href);
    for (const each of flows.filter((flow) => Object.values(exported).includes(flow))) files.set(each.name, path);
  }
  return files;
}

/** The file of each flow, by the name of the flow. */
const files = await flowFiles();

/** The page of one topic. */
export async function pageOf(topic: Topic): Promise<string> {
  const explained: Explained[] = [];
  for (const { id } of requirements.filter((each) => each.topic === topic)) explained.push(await explainedOf(id));
  return topicPage(topic, explained, (flow) => {
    const file = files.get(flow);
    if (file === undefined) throw new Error(`no file of suites/flows exports the flow '${flow}'`);
    return file;
  });
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
