import type { Requirement } from '../../fixtures/requirements/model.ts';
import type { Judging, Rule } from '../expectations/rule.ts';

/** How a rule of a team judges its requirement. */
export type OwnJudging = Omit<Judging, 'origin' | 'otherClient'>;

/** A requirement of a team with its rule. */
export function rule(requirement: Requirement, judging: OwnJudging): Rule {
  return { id: requirement.id, requirement, ...judging };
}
