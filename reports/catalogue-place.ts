import { requirements } from '../fixtures/requirements/index.ts';
import { topicOf } from '../suites/named.ts';

const known = new Set<string>(requirements.map(({ id }) => id));

/** The anchor of a requirement on the page of its topic. */
export function anchorOf(id: string): string {
  return id.replaceAll('.', '');
}

/** The command and the page that explain a requirement; empty for what is none, such as a rule for clients. */
export function explainedBy(id: string): string[] {
  return known.has(id) ? [`tck explain ${id} (docs/requirements/${topicOf(id)}.md#${anchorOf(id)})`] : [];
}
