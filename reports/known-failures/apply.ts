import type { RequirementResult, RunResult } from '../../suites/result.ts';
import { conclude } from '../../suites/verdict.ts';
import type { KnownFailure } from './load.ts';

export interface ApplyOptions {
  /** The day of the run, YYYY-MM-DD. */
  today: string;
  /** Ids that have to be tested, as `--require` says. */
  required?: ReadonlySet<string>;
}

/** What a list of known failures makes of requirements. */
export interface Excused {
  requirements: RequirementResult[];
  /** Entries that have to go or to be looked at again, one sentence each. */
  stale: string[];
}

/**
 * The result with known failures excused, and its verdict made anew. An entry whose requirement passes, or whose day is
 * past, makes the verdict `non-conformant`. A run in which nothing was tested says nothing about known failures.
 */
export function applyKnownFailures(
  result: RunResult,
  known: readonly KnownFailure[],
  options: ApplyOptions,
): RunResult {
  if (result.requirements.every(({ status }) => status === 'not-tested')) return result;
  const { requirements, stale } = excused(result.requirements, known, options.today);
  const { interrupted, leftBehind, summary } = result;
  const required = options.required === undefined ? {} : { required: options.required };
  const grounds = { requirements, stale, interrupted, leftBehind, requests: summary.requests, ...required };
  return { ...result, requirements, ...conclude(grounds) };
}

/** Excuses failed requirements that are listed and whose day is not past. */
export function excused(
  requirements: readonly RequirementResult[],
  known: readonly KnownFailure[],
  today: string,
): Excused {
  const entries = new Map(known.map((entry) => [entry.requirement, entry]));
  return {
    requirements: requirements.map((requirement) => {
      const entry = entries.get(requirement.id);
      return entry === undefined || isPast(entry, today) ? requirement : excuse(requirement, entry);
    }),
    stale: known.flatMap((entry) => {
      const status = requirements.find(({ id }) => id === entry.requirement)?.status;
      if (status === 'passed') return [`${entry.place}: remove '${entry.requirement}': it passes now`];
      if (isPast(entry, today))
        return [`${entry.place}: the excuse for '${entry.requirement}' ended on ${entry.expires}`];
      return [];
    }),
  };
}

/** The last day still counts. */
function isPast({ expires }: KnownFailure, today: string): boolean {
  return expires < today;
}

function excuse(requirement: RequirementResult, { reason, issue, owner, expires }: KnownFailure): RequirementResult {
  if (requirement.status !== 'failed') return requirement;
  return {
    ...requirement,
    status: 'known-failure',
    knownFailure: { reason, issue, owner, expires },
    checks: requirement.checks.map((check) =>
      check.status === 'failed' ? { ...check, status: 'known-failure' } : check,
    ),
  };
}
