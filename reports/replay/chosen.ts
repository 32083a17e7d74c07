import { type RequirementId, requirements } from '../../fixtures/requirements/index.ts';
import type { RequirementResult, RunResult } from '../../suites/result.ts';
import { selectRequirements } from '../../suites/selection.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { type FindingGroup, groupFindings } from '../findings.ts';

/** What of a report is looked at again. */
export interface Chosen {
  groups: FindingGroup[];
  /** Requirements that have findings in the report and that this version of the kit does not know. */
  unknown: string[];
}

/**
 * The findings of a report, or those of one requirement, topic or glob on ids. Known failures are among them only where
 * a pattern asks for them. Throws a UsageError for a pattern that selects no requirement, or none that the report shows
 * a finding of.
 */
export function chosenFindings(report: RunResult, pattern: string | undefined): Chosen {
  const wanted = pattern === undefined ? undefined : idsOf(pattern);
  const having = report.requirements.filter(
    ({ id, status, findings }) =>
      (wanted === undefined ? status !== 'known-failure' : wanted.has(id)) && findings.length > 0,
  );
  if (pattern !== undefined && having.length === 0) {
    throw new UsageError(`requirement: the report has no finding of '${pattern}'${findingsInstead(report)}`);
  }
  const known = having.filter(({ id }) => knownId(id) !== undefined);
  return {
    groups: groupFindings({ ...report, requirements: known.map(asFailure) }),
    unknown: having.filter(({ id }) => knownId(id) === undefined).map(({ id }) => id),
  };
}

function idsOf(pattern: string): Set<string> {
  return new Set(selectRequirements(requirements, [pattern], undefined, 'requirement').map(({ id }) => id));
}

function findingsInstead(report: RunResult): string {
  const ids = chosenFindings(report, undefined).groups.map(({ requirement }) => requirement.id);
  return ids.length === 0 ? '; it has none at all' : `; it has findings of ${[...new Set(ids)].slice(0, 5).join(', ')}`;
}

function asFailure(requirement: RequirementResult): RequirementResult {
  return requirement.status === 'known-failure' ? { ...requirement, status: 'failed' } : requirement;
}

/** The id as this version of the kit knows it; undefined where it does not. */
export function knownId(id: string): RequirementId | undefined {
  return requirements.find((requirement) => requirement.id === id)?.id;
}
