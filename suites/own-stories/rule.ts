import type { Requirement } from '../../fixtures/requirements/model.ts';
import { type Judging, rule as kitRule, type Rule } from '../expectations/rule.ts';

/** How a rule of a team judges its requirement. */
export type OwnJudging = Omit<Judging, 'origin' | 'otherClient'>;

/** A requirement of a team with its rule. */
export function rule(requirement: Requirement, judging: OwnJudging): Rule {
  return kitRule(requirement, judging);
}
