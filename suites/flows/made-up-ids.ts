import { confirming, type Proposal } from './images.ts';
import type { Asked, Steps } from './steps.ts';

/** An id with its lower-case letters as upper-case ones, or the other way round. */
export const otherCase = (id: string) => (id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase());

/** Characters that are exchanged in an id; a shorter one is made longer, since its neighbours may have been issued. */
const exchanged = 8;

/**
 * An id that was never issued but has the form of one that was: its length and its alphabet, with other letters and
 * digits at its end. Numbers are moved far away, where no counting leads.
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

export const hexadecimal = /^[0-9a-f-]+$/i;

/** Digits, small letters and capitals, with those that are in every alphabet of ids. */
const kinds: readonly (readonly [pattern: RegExp, usual: string])[] = [
  [/[0-9]/g, '234567'],
  [/[a-z]/g, 'abcdef'],
  [/[A-Z]/g, 'ABCDEF'],
];

/** Another letter or digit in its place, one that the id has nearby: so it is in the alphabet of ids. */
function otherOfKind(letter: string, random: number, id: string): string {
  const [pattern, usual] = kinds.find(([kind]) => letter.search(kind) === 0) ?? [/[0-9]/g, '234567'];
  const nearby = [...new Set(id.slice(-Math.ceil(id.length / 2)).match(pattern))];
  const others = (nearby.length > 2 ? nearby : [...usual]).filter((each) => each !== letter);
  return others[random % others.length] ?? letter;
}

/** A correct request with an id that was never issued. */
export function neverIssued(t: Steps, proposal: Pick<Proposal, 'args' | 'id'>): Asked {
  const id = resemblingId(proposal.id, t.text(`never issued like ${proposal.id}`, 16));
  return { ...confirming(proposal, { confirmation_id: id }), invented: ['confirmation_id'] };
}
