import { topicTitles } from '../fixtures/requirements/model.ts';
import { kit, repository } from '../suites/kit.ts';
import { requirements } from '../suites/requirements.ts';

const known = new Map<string, string>(requirements.map(({ id, topic }) => [id, topic]));

/** URL of the table that lists a requirement. Undefined for a client rule, or if the package has no repository. */
export function explanationUrl(id: string): string | undefined {
  const title = Object.entries(topicTitles).find(([topic]) => topic === known.get(id))?.[1];
  if (title === undefined || repository === undefined) return undefined;
  const anchor = title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
  return `${repository}/blob/v${kit.version}/docs/requirements.md#${anchor}`;
}

/** The command that explains a requirement. Empty for a client rule. */
export function explainedBy(id: string): string[] {
  return known.has(id) ? [`tck explain ${id}`] : [];
}
