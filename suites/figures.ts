import type { RequirementResult, Status } from './result.ts';

/**
 * Number of requirements by status:
 * `total` = `tested` + `errored` + `notTested`, and `tested` = `passed` + `failed` + `warned` + `knownFailures`.
 */
export interface RequirementFigures {
  total: number;
  tested: number;
  passed: number;
  failed: number;
  warned: number;
  errored: number;
  knownFailures: number;
  notTested: number;
}

/**
 * Whether only a refusal that no request provokes reliably can test the requirement. A run can be complete without this
 * requirement.
 */
export function awaitsRefusal({ status, missing = [] }: Pick<RequirementResult, 'status' | 'missing'>): boolean {
  return status === 'not-tested' && missing.some(({ kind }) => kind === 'refusal');
}

/** Counts requirements by status, for all report formats. */
export function requirementFigures(requirements: readonly Pick<RequirementResult, 'status'>[]): RequirementFigures {
  const having = (wanted: Status) => requirements.filter(({ status }) => status === wanted).length;
  const [errored, notTested] = [having('errored'), having('not-tested')];
  return {
    total: requirements.length,
    tested: requirements.length - errored - notTested,
    passed: having('passed'),
    failed: having('failed'),
    warned: having('warned'),
    errored,
    knownFailures: having('known-failure'),
    notTested,
  };
}

/** Returns the figures keyed by status. */
export function byStatus(figures: RequirementFigures): Record<Status, number> {
  return {
    failed: figures.failed,
    errored: figures.errored,
    warned: figures.warned,
    'known-failure': figures.knownFailures,
    'not-tested': figures.notTested,
    passed: figures.passed,
  };
}
