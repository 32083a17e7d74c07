import type { Requirement, RequirementId } from '../../fixtures/requirements/model.ts';
import { type Cause, causesOf } from '../../suites/causes/causes.ts';
import { requirements as kitRequirements } from '../../suites/requirements.ts';
import type { RequirementResult, RunResult } from '../../suites/result.ts';
import { selectRequirements } from '../../suites/selection.ts';
import { counted } from '../../suites/usage/counted.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';

/** Findings of a report to replay. */
export interface Chosen {
  causes: Cause[];
  /** Requirements with findings in the report that this version of the kit does not have. */
  unknown: string[];
}

/**
 * Selects findings of a report: all, or by cause number, requirement ID, topic or glob. Includes known failures only if
 * a pattern selects them. Throws a UsageError if a pattern matches no requirement, or no requirement with findings.
 */
export function chosenFindings(
  report: RunResult,
  pattern: string | undefined,
  requirements: readonly Requirement[] = kitRequirements,
): Chosen {
  if (pattern !== undefined && /^[1-9]\d*$/.test(pattern)) {
    return causeNumbered(report, Number(pattern), requirements);
  }
  const wanted = pattern === undefined ? undefined : idsOf(pattern, requirements);
  const having = report.requirements.filter(
    ({ id, status, findings }) =>
      (wanted === undefined ? status !== 'known-failure' : wanted.has(id)) && findings.length > 0,
  );
  if (pattern !== undefined && having.length === 0) {
    const instead = findingsInstead(report, requirements);
    throw new UsageError(`requirement: the report has no finding of '${pattern}'${instead}`);
  }
  const known = having.filter(({ id }) => knownId(id, requirements) !== undefined);
  return {
    causes: causesOf({ ...report, requirements: known.map(asFailure) }),
    unknown: having.filter(({ id }) => knownId(id, requirements) === undefined).map(({ id }) => id),
  };
}

/** Cause by its number in the report, which is also the number of its script. */
function causeNumbered(report: RunResult, number: number, requirements: readonly Requirement[]): Chosen {
  const causes = causesOf(report);
  const cause = causes[number - 1];
  if (cause === undefined) {
    throw new UsageError(`requirement: the report has no cause ${number}; it has ${counted(causes.length, 'cause')}`);
  }
  const known = cause.requirements.filter(({ id }) => knownId(id, requirements) !== undefined);
  return {
    causes: known.length === 0 ? [] : [{ ...cause, requirements: known }],
    unknown: cause.requirements.filter((each) => !known.includes(each)).map(({ id }) => id),
  };
}

function idsOf(pattern: string, requirements: readonly Requirement[]): Set<string> {
  return new Set(selectRequirements(requirements, [pattern], undefined, 'requirement').map(({ id }) => id));
}

function findingsInstead(report: RunResult, requirements: readonly Requirement[]): string {
  const ids = chosenFindings(report, undefined, requirements).causes.map(({ requirement }) => requirement.id);
  return ids.length === 0
    ? '; the report has no finding'
    : `; it has findings of ${[...new Set(ids)].slice(0, 5).join(', ')}`;
}

function asFailure(requirement: RequirementResult): RequirementResult {
  return requirement.status === 'known-failure' ? { ...requirement, status: 'failed' } : requirement;
}

/** Returns the ID if the catalogue has the requirement. */
export function knownId(id: string, requirements: readonly Requirement[]): RequirementId | undefined {
  return requirements.find((requirement) => requirement.id === id)?.id;
}
