/** `1 image`, `2 images`. Irregular nouns need `plural`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Returns the topic, which is the first part of the ID of a requirement or an open question. */
export function topicOf(id: string): string {
  return id.split('.', 1)[0] ?? '';
}

/** Most IDs to list individually. */
const mostNamed = 6;

/** Lists a few IDs individually. Groups more by topic, with a count each, so the summary stays complete. */
export function summarizeIds(ids: readonly string[]): string {
  if (ids.length <= mostNamed) return ids.join(', ');
  return [...Map.groupBy(ids, topicOf)]
    .map(([topic, those]) => (those.length === 1 ? those.join() : `${topic} (${those.length})`))
    .join(', ');
}

/** Describes a response that is not conclusive for a requirement. */
export function statusReason(tool: string | null, status: number): string {
  return `${tool ?? 'another path'} returned ${status}`;
}
