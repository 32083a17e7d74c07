import type { RequirementResult, RunResult } from '../../suites/result.ts';
import { addedUp, conclude } from '../../suites/verdict.ts';
import type { KnownFailure } from './load.ts';

/**
 * Applies known failures to a result and recomputes its verdict and gate. `today` has the format YYYY-MM-DD. An entry
 * is stale and fails the gate if its requirement passes or the entry has expired. Does nothing if no requirement was
 * tested.
 */
export function applyKnownFailures(result: RunResult, known: readonly KnownFailure[], today: string): RunResult {
  if (result.requirements.every(({ status }) => status === 'not-tested')) return result;
  const requirements = excused(result.requirements, known, today);
  const { interrupted, summary, trouble } = result;
  const grounds = { requirements, interrupted, trouble, counts: addedUp([summary]) };
  return { ...result, requirements, ...conclude(grounds) };
}

/** Attaches each entry to its requirement. A failed requirement with a valid entry becomes a known failure. */
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

/** Why an entry is stale. Undefined if the entry is valid, which includes its last day. */
function stalenessOf(entry: KnownFailure, { id, status }: RequirementResult, today: string): string | undefined {
  if (status === 'passed') return `${entry.place}: remove '${id}': it passes now`;
  return entry.expires < today ? `${entry.place}: the entry for '${id}' expired on ${entry.expires}` : undefined;
}
