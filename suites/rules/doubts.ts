import type { Knowledge } from '../history/history.ts';

/** What may be stated of a history that does not tell it. */
export type Fact = 'complete' | 'clock';

/** Knowledge of a history that notes which facts a rule asked for in vain. */
export type Doubting = Knowledge & { readonly doubts: Set<Fact> };

export function doubting(knowledge: Knowledge): Doubting {
  const doubts = new Set<Fact>();
  const isKnown = (fact: Fact): boolean => {
    if (!knowledge[fact]) doubts.add(fact);
    return knowledge[fact];
  };
  return {
    ...knowledge,
    doubts,
    get complete() {
      return isKnown('complete');
    },
    get clock() {
      return isKnown('clock');
    },
  };
}
