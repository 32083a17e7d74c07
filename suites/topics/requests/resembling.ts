import { identifierRows } from '../../../fixtures/mutations/identifiers.ts';
import type { Steps } from '../steps.ts';

/** Shortest identifier whose variants with ordinary characters are unlikely to exist. */
const leastLetters = 8;

/** Whether an identifier has only ordinary characters, so that it may exist. */
export const isUsual = (id: string) => /^[\w-]+$/.test(id);

/**
 * Returns identifiers that only a lenient lookup equates with this one, grouped by row. Leaves out variants of
 * short identifiers, which may exist.
 */
export function allResembling(id: string, except: readonly string[] = []): string[][] {
  const mayBe = (other: string) => other !== id && other !== '' && (!isUsual(other) || id.length >= leastLetters);
  return Object.entries(identifierRows)
    .filter(([row]) => !['identifier.placeholder', ...except].includes(row))
    .map(([, { values }]) => values(id).filter(mayBe))
    .filter((others) => others.length > 0);
}

/** Returns one identifier per row, chosen by the seed and the purpose. */
export function resembling(t: Steps, purpose: string, id: string, except: readonly string[] = []): string[] {
  const turn = t.turn(`resembling ${purpose}`);
  const all = allResembling(id, except).map((others, index) => others[(turn + index) % others.length]);
  return [...new Set(all.filter((other) => other !== undefined))];
}
