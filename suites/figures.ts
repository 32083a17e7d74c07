import type { RequirementResult, Status } from './result.ts';

/**
 * How many requirements ended in which way. All numbers count requirements:
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

/** Counts requirements by status, for `report.json` and every other form of a report. */
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

/** The same numbers by status. */
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
