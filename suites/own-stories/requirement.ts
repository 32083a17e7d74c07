import type { Requirement, RequirementId, Severity } from '../../fixtures/requirements/model.ts';
import type { Judging, Rule } from '../expectations/rule.ts';
import { topicOf } from '../ids-summary.ts';

/** Before every version, so that `--as-of` never leaves out the requirements of a team. */
export const sinceOfOwn = '0.0.0';

const ofLevel =
  (level: Requirement['level']) =>
  (id: RequirementId, statement: string, source: string, severity: Severity = 'contract'): Requirement => ({
    id,
    topic: topicOf(id),
    level,
    severity,
    since: sinceOfOwn,
    statement,
    source,
  });

/**
 * A sentence that the server of a team must keep.
 *
 * @param id the prefix of the team and a name: `acme.request-id`
 * @param source where the team wrote it down
 */
export const must = ofLevel('must');

/** A sentence that the server of a team should keep: a violation is a warning. */
export const should = ofLevel('should');

/** How a rule of a team judges its requirement. */
export type OwnJudging = Omit<Judging, 'origin' | 'otherClient'>;

/** A requirement of a team with its rule. */
export function rule(requirement: Requirement, judging: OwnJudging): Rule {
  return { id: requirement.id, requirement, ...judging };
}
