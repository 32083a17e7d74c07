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

/** Judges every recorded answer by every rule, whichever check asked for it; one that was too large by those that need no more than its head. */
export function judge(checks: readonly Check[], exchanges: readonly Exchange[]): Map<RequirementId, Judged> {
  const judged = new Map<RequirementId, Judged>();
  const rules = checks.filter(isRuleCheck).map(({ requirement, rule }) => {
    const sofar = judged.get(requirement) ?? { applied: 0, findings: [] };
    judged.set(requirement, sofar);
    const before: Answered[] = [];
    return { rule, before, sofar };
  });
  // By all rules in one go, so that a body is parsed once.
  for (const exchange of exchanges) {
    if (!isAnswered(exchange)) continue;
    for (const { rule, before, sofar } of rules) judgeOne(rule, exchange, before, sofar);
  }
  return judged;
}

function judgeOne(rule: Rule, exchange: Answered, before: Answered[], judged: Judged): void {
  try {
    if (exchange.request.odd && rule.odd !== true) return;
    if (exchange.answer.unread !== undefined && rule.head !== true) return;
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

function isAnswered(exchange: Exchange): exchange is Answered {
  return exchange.answer !== null;
}
