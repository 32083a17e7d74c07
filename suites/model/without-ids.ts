/**
 * Returns a function that replaces IDs in texts where they are whole words: the ID `3` does not match in "35 minutes".
 * To compare two responses, pass the IDs of both: an ID such as `30` may equal a number that both texts contain.
 */
export function withoutIds(...ids: readonly string[]): (text: string) => string {
  const given = ids.filter((id) => id !== '').sort((a, b) => b.length - a.length);
  if (given.length === 0) return (text) => text;
  const anyId = new RegExp(`(?<![\\p{L}\\p{N}])(?:${given.map(literal).join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  // Fast path, because most texts contain no ID.
  return (text) => (given.some((id) => text.includes(id)) ? text.replace(anyId, '(the id)') : text);
}

/** Escapes a text for use in a regular expression. */
export function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
