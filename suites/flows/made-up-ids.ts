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
    letters[at] = otherOfKind(letters[at] ?? '', random.charCodeAt(index % random.length), hexadecimal.test(id));
  });
  return letters.join('');
}

export const hexadecimal = /^[0-9a-f-]+$/i;

function otherOfKind(letter: string, random: number, hexadecimal: boolean): string {
  if (/[0-9]/.test(letter)) return String((Number(letter) + 1 + (random % 9)) % 10);
  const alphabet = hexadecimal ? 'abcdef' : 'abcdefghijklmnopqrstuvwxyz';
  const at = alphabet.indexOf(letter.toLowerCase());
  const other = alphabet[(at + 1 + (random % (alphabet.length - 1))) % alphabet.length] ?? 'a';
  return letter === letter.toLowerCase() ? other : other.toUpperCase();
}

/** A correct request with an id that was never issued. */
export function neverIssued(t: Steps, proposal: Pick<Proposal, 'args' | 'id'>): Asked {
  const id = resemblingId(proposal.id, t.text(`never issued like ${proposal.id}`, 16));
  return { ...confirming(proposal, { confirmation_id: id }), invented: ['confirmation_id'] };
}
