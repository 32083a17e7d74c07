/** Ids of requirements and of open questions begin with their topic; a few questions have one of their own. */
export function topicOf(id: string): string {
  return id.split('.', 1)[0] ?? '';
}

/** Ids named one by one. */
const mostNamed = 6;

/**
 * Ids of requirements in a line: one by one where there are few, otherwise topics with how many of each, so that
 * nothing is left out.
 */
export function named(ids: readonly string[]): string {
  if (ids.length <= mostNamed) return ids.join(', ');
  return [...Map.groupBy(ids, topicOf)]
    .map(([topic, those]) => (those.length === 1 ? those.join() : `${topic} (${those.length})`))
    .join(', ');
}

/** Names a response that shows nothing about a requirement. */
export function statusReason(tool: string | null, status: number): string {
  return `${tool ?? 'another path'} returned ${status}`;
}
