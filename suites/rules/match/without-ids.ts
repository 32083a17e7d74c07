import { literal } from '../../literal.ts';

/**
 * Takes ids out of texts, wherever one stands for itself: an id like 3 is not a part of 35 minutes. Of two answers the
 * ids of both are to be taken out: where the one is 35, the minutes of both are gone.
 */
export function withoutIds(...ids: readonly string[]): (text: string) => string {
  const given = ids.filter((id) => id !== '').sort((a, b) => b.length - a.length);
  if (given.length === 0) return (text) => text;
  const anyId = new RegExp(`(?<![\\p{L}\\p{N}])(?:${given.map(literal).join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  // Most texts have none, and that is quick to see.
  return (text) => (given.some((id) => text.includes(id)) ? text.replace(anyId, '(the id)') : text);
}
