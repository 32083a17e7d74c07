import type { Steps, StoryRequest } from '../steps.ts';
import { confirming, type Proposal } from './proposals.ts';

/** Returns an ID in upper case, or in lower case if it is in upper case already. */
export const otherCase = (id: string) => (id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase());

/** Number of characters to replace in an ID. Extends shorter IDs instead, because similar ones may have been issued. */
const exchanged = 8;

/**
 * Returns an ID that was never issued. It has the length and alphabet of an issued one, with other characters at its
 * end. A numeric ID changes so much that no counter reaches the new value.
 */
export function resemblingId(id: string, random: string): string {
  const letters = [...id];
  const places = [...letters.keys()].filter((at) => /[0-9a-z]/i.test(letters[at] ?? '')).slice(-exchanged);
  if (places.length < exchanged - 2)
    return `${id}${random.replace(/\D/g, '').padEnd(exchanged, '7').slice(0, exchanged)}`;
  places.forEach((at, index) => {
    letters[at] = otherOfKind(letters[at] ?? '', random.charCodeAt(index % random.length), id);
  });
  return letters.join('');
}

/** Matches UUIDs and long hexadecimal numbers, whose case is irrelevant. */
export const hexadecimal = /^[0-9a-f-]{16,}$/i;

/** Character classes, with characters that occur in most ID alphabets. */
const kinds: readonly (readonly [pattern: RegExp, usual: string])[] = [
  [/[0-9]/g, '234567'],
  [/[a-z]/g, 'abcdef'],
  [/[A-Z]/g, 'ABCDEF'],
];

/** Returns another character of the class that occurs near the end of the ID, and thus belongs to its alphabet. */
function otherOfKind(letter: string, random: number, id: string): string {
  const [pattern, usual] = kinds.find(([kind]) => letter.search(kind) === 0) ?? [/[0-9]/g, '234567'];
  const nearby = [...new Set(id.slice(-Math.ceil(id.length / 2)).match(pattern))];
  const others = (nearby.length > 2 ? nearby : [...usual]).filter((other) => other !== letter);
  return others[random % others.length] ?? letter;
}

/** Returns a correct confirmation with an ID that was never issued. */
export function neverIssued(t: Steps, proposal: Pick<Proposal, 'args' | 'id'>): StoryRequest {
  const id = resemblingId(proposal.id, t.text(`never issued like ${proposal.id}`, 16));
  return { ...confirming(proposal, { confirmation_id: id }), invented: ['confirmation_id'] };
}
