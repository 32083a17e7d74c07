import { identifierLeniencies } from '../../../fixtures/leniencies/index.ts';
import type { Steps } from '../steps.ts';

/** Shortest identifier whose variants with ordinary characters are unlikely to exist. */
const leastLetters = 8;

/** Whether an identifier has only ordinary characters, so that it may exist. */
export const isUsual = (id: string) => /^[\w-]+$/.test(id);

/**
 * Returns identifiers that only a lenient lookup equates with this one, grouped by leniency. Leaves out variants of
 * short identifiers, which may exist.
 */
export function allResembling(id: string, except: readonly string[] = []): string[][] {
  const mayBe = (other: string) => other !== id && other !== '' && (!isUsual(other) || id.length >= leastLetters);
  return identifierLeniencies
    .filter((leniency) => !['identifier.placeholder', ...except].includes(leniency.id))
    .map(({ identifiers }) => identifiers(id).filter(mayBe))
    .filter((others) => others.length > 0);
}

/** Returns one identifier per leniency, chosen by the seed and the purpose. */
export function resembling(t: Steps, purpose: string, id: string, except: readonly string[] = []): string[] {
  const turn = t.turn(`resembling ${purpose}`);
  const all = allResembling(id, except).map((others, index) => others[(turn + index) % others.length]);
  return [...new Set(all.filter((other) => other !== undefined))];
}
