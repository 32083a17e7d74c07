import type { RequirementId } from '../fixtures/requirements/index.ts';
import { type Check, check, type Needs } from './check.ts';
import type { Context } from './engine/context.ts';
import type { Answered } from './exchange.ts';
import type { Finding } from './finding.ts';

/** What holds for every answer of some kind, whichever check asked for it. */
export interface Rule {
  /** Whether the rule says anything about this answer. */
  applies(exchange: Answered): boolean;
  /** `before` are the answers of the run up to this one that the rule applies to. */
  verdict(exchange: Answered, before: readonly Answered[]): Finding | undefined;
  /** Holds even for what only an observation sends, such as bodies of another content type. */
  odd?: boolean;
  /** Needs no more than status and headers, and so judges a response too whose body was too large to be kept. */
  head?: boolean;
}

/** A check whose requirement is a rule: it sees to it that such an answer is met, and the rule judges all of them. */
export type RuleCheck = Check & { rule: Rule };

export function rule(
  spec: { requirement: RequirementId; needs?: Needs; exercise(t: Context): Promise<readonly Answered[]> } & Rule,
): RuleCheck {
  const { applies, verdict, odd = false, head = false } = spec;
  return {
    ...check({
      requirement: spec.requirement,
      ...(spec.needs === undefined ? {} : { needs: spec.needs }),
      async run(t) {
        const met = await spec.exercise(t);
        if (!met.some(applies)) t.cannot('the run met no response of this kind');
      },
    }),
    rule: { applies, verdict, odd, head },
  };
}

export function isRuleCheck(candidate: Check): candidate is RuleCheck {
  return 'rule' in candidate;
}
