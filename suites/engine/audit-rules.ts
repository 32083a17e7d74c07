import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Check } from '../check.ts';
import type { Answered, Exchange } from '../exchange.ts';
import type { Finding } from '../finding.ts';
import { isRuleCheck } from '../rule.ts';

/** What a rule said of a run's exchanges. */
export interface Judged {
  /** How many answers the rule said anything about. */
  applied: number;
  findings: Finding[];
}

/** Judges every recorded answer by every rule, whichever check asked for it. */
export function judge(checks: readonly Check[], exchanges: readonly Exchange[]): Map<RequirementId, Judged> {
  const answered = exchanges.filter((exchange): exchange is Answered => exchange.answer !== null);
  const judged = new Map<RequirementId, Judged>();
  for (const { requirement, rule } of checks.filter(isRuleCheck)) {
    const applicable = answered.filter(rule.applies);
    const findings = applicable.map(rule.verdict).filter((verdict) => verdict !== undefined);
    const before = judged.get(requirement);
    judged.set(requirement, {
      applied: applicable.length + (before?.applied ?? 0),
      findings: [...(before?.findings ?? []), ...findings],
    });
  }
  return judged;
}
