import { topicOf } from '../suites/ids-summary.ts';
import { kit, repository } from '../suites/kit.ts';
import { requirements } from '../suites/requirements.ts';

const known = new Set<string>(requirements.map(({ id }) => id));

/** Anchor of a requirement on the page of its topic. */
export function anchorOf(id: string): string {
  return id.replaceAll('.', '');
}

/** URL of the page that explains a requirement. Undefined for a client rule, or if the package has no repository. */
export function explanationUrl(id: string): string | undefined {
  if (!known.has(id) || repository === undefined) return undefined;
  return `${repository}/blob/v${kit.version}/docs/requirements/${topicOf(id)}.md#${anchorOf(id)}`;
}

/** The command and the page that explain a requirement. Empty for a client rule. */
export function explainedBy(id: string): string[] {
  return known.has(id) ? [`tck explain ${id} (docs/requirements/${topicOf(id)}.md#${anchorOf(id)})`] : [];
}
