import type { RequirementResult, RunResult } from '../../suites/result.ts';
import { addedUp, conclude } from '../../suites/verdict.ts';
import type { KnownFailure } from './load.ts';

/**
 * The result with known failures excused, and its verdict and gate made anew. `today` is a date, YYYY-MM-DD. An entry
 * whose requirement passes, or whose day is past, is stale and fails the gate. A run in which nothing was tested says
 * nothing about known failures.
 */
export function applyKnownFailures(result: RunResult, known: readonly KnownFailure[], today: string): RunResult {
  if (result.requirements.every(({ status }) => status === 'not-tested')) return result;
  const requirements = excused(result.requirements, known, today);
  const { interrupted, summary, trouble } = result;
  const grounds = { requirements, interrupted, trouble, counts: addedUp([summary]) };
  return { ...result, requirements, ...conclude(grounds) };
}

/** Notes the entry of each requirement that is listed, and excuses those that failed and whose day is not past. */
function excused(
  requirements: readonly RequirementResult[],
  known: readonly KnownFailure[],
  today: string,
): RequirementResult[] {
  const entries = new Map(known.map((entry) => [entry.requirement, entry]));
  return requirements.map((requirement) => {
    const entry = entries.get(requirement.id);
    if (entry === undefined) return requirement;
    const stale = stalenessOf(entry, requirement, today);
    const { reason, issue, owner, expires } = entry;
    const knownFailure = { reason, issue, owner, expires, ...(stale === undefined ? {} : { stale }) };
    const isExcused = requirement.status === 'failed' && stale === undefined;
    return { ...requirement, knownFailure, ...(isExcused ? { status: 'known-failure' } : {}) };
  });
}

/** Why an entry has to go; undefined where it stays. The last day still counts. */
function stalenessOf(entry: KnownFailure, { id, status }: RequirementResult, today: string): string | undefined {
  if (status === 'passed') return `${entry.place}: remove '${id}': it passes now`;
  return entry.expires < today ? `${entry.place}: the entry for '${id}' expired on ${entry.expires}` : undefined;
}
