import type { Requirement, RequirementId, Severity } from '../../fixtures/requirements/model.ts';
import { topicOf } from '../ids-summary.ts';

/** Before every version, so that `--as-of` never leaves out the requirements of a team. */
export const sinceOfOwn = '0.0.0';

/**
 * A sentence that the server of a team must keep.
 *
 * @param id the prefix of the team and a name: `acme.request-id`
 * @param source where the team wrote it down
 */
export function must(
  id: RequirementId,
  statement: string,
  source: string,
  severity: Severity = 'contract',
): Requirement {
  return { id, topic: topicOf(id), level: 'must', severity, since: sinceOfOwn, statement, source };
}

/** A sentence that the server of a team should keep: a violation is a warning. */
export function should(
  id: RequirementId,
  statement: string,
  source: string,
  severity: Severity = 'contract',
): Requirement {
  return { id, topic: topicOf(id), level: 'should', severity, since: sinceOfOwn, statement, source };
}
