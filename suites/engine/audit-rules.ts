import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Check } from '../check.ts';
import type { Answered, Exchange } from '../exchange.ts';
import type { Finding } from '../finding.ts';
import { isRuleCheck, type Rule } from '../rule.ts';

/** What a rule said of a run's exchanges. */
export interface Judged {
  /** How many answers the rule said anything about. */
  applied: number;
  findings: Finding[];
  /** Why the rule could not judge an answer, which is a fault of the kit. */
  broke?: { reason: string; exchange: Answered };
}

/** Judges every recorded answer that could be read by every rule, whichever check asked for it. */
export function judge(checks: readonly Check[], exchanges: readonly Exchange[]): Map<RequirementId, Judged> {
  const answered = exchanges.filter(
    (exchange): exchange is Answered => exchange.answer !== null && exchange.answer.unread === undefined,
  );
  const judged = new Map<RequirementId, Judged>();
  for (const { requirement, rule } of checks.filter(isRuleCheck)) {
    const sofar = judged.get(requirement) ?? { applied: 0, findings: [] };
    judged.set(requirement, sofar);
    const before: Answered[] = [];
    for (const exchange of answered) judgeOne(rule, exchange, before, sofar);
  }
  return judged;
}

function judgeOne(rule: Rule, exchange: Answered, before: Answered[], judged: Judged): void {
  try {
    if (exchange.request.odd && rule.odd !== true) return;
    if (!rule.applies(exchange)) return;
    judged.applied += 1;
    const finding = rule.verdict(exchange, before);
    before.push(exchange);
    if (finding !== undefined) judged.findings.push(finding);
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    judged.broke ??= { reason: `the rule itself broke: ${reason}`, exchange };
  }
}
