import type { Knowledge } from '../../exchange/history.ts';

/** Facts that a history may lack, and that its user can state. */
export type Fact = 'complete' | 'clock';

/** Knowledge that records the unknown facts that a rule asked for. */
type NotingUnknownFacts = Knowledge & { readonly unknown: Set<Fact> };

export function notingUnknownFacts(knowledge: Knowledge): NotingUnknownFacts {
  const unknown = new Set<Fact>();
  const isKnown = (fact: Fact): boolean => {
    if (!knowledge[fact]) unknown.add(fact);
    return knowledge[fact];
  };
  return {
    ...knowledge,
    unknown,
    get complete() {
      return isKnown('complete');
    },
    get clock() {
      return isKnown('clock');
    },
  };
}
