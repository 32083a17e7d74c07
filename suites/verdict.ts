import type { Counts, Gate, RequirementResult, RunResult, Status, Summary, Verdict } from './result.ts';
import { summarizeIds } from './usage/counted.ts';

/** Inputs of a verdict. */
export interface Grounds {
  requirements: readonly RequirementResult[];
  interrupted: boolean;
  /** Problems that affected the whole run. */
  trouble?: readonly string[];
  counts: Counts;
}

type Conclusion = Pick<RunResult, 'verdict' | 'complete' | 'gate' | 'reasons' | 'trouble' | 'summary'>;

/** Derives the verdict, the gate, the completeness and the counts of a run. */
export function conclude(grounds: Grounds): Conclusion {
  const { requirements, counts, trouble = [] } = grounds;
  const { passed, failed, warned, errored, knownFailures, notTested } = requirementFigures(requirements);
  const withStatus = (status: Status) => requirements.filter((requirement) => requirement.status === status);
  const violations = [
    ...countWithIds(withStatus('failed'), 'requirement failed', 'requirements failed'),
    ...countWithIds(withStatus('known-failure'), 'known failure'),
  ];
  const open = openReasons(grounds);
  const awaiting = requirements.filter(awaitsRefusal).length;
  return {
    verdict: verdictOf(violations.length > 0, open.length > 0, requirements.some(isLeftOpen)),
    complete: notTested + errored === awaiting,
    gate: gateOf(requirements),
    reasons: [...violations, ...open],
    trouble: [...trouble],
    summary: { passed, failed, warned, errored, knownFailures, notTested, ...counts },
  };
}

function verdictOf(isViolated: boolean, isOpen: boolean, isPartial: boolean): Verdict {
  if (isViolated) return 'non-conformant';
  if (isOpen) return 'inconclusive';
  return isPartial ? 'partial' : 'conformant';
}

/** Whether a selected requirement was not tested, although a request could test it. */
function isLeftOpen(requirement: RequirementResult): boolean {
  const { status, missing = [] } = requirement;
  return status === 'not-tested' && !awaitsRefusal(requirement) && !missing.some(({ kind }) => kind === 'selection');
}

/** Adds up the counts of several runs. */
export function addedUp(all: readonly Counts[]): Counts {
  const sum = (name: keyof Counts) => all.reduce((total, counts) => total + counts[name], 0);
  return {
    requests: sum('requests'),
    imagesRequested: sum('imagesRequested'),
    imagesConfirmed: sum('imagesConfirmed'),
    imagesWorstCase: sum('imagesWorstCase'),
    contentRequestsCreated: sum('contentRequestsCreated'),
  };
}

/** The gate fails on unknown failures, on untested required requirements, and on stale known failures. */
function gateOf(requirements: readonly RequirementResult[]): Gate {
  const failed = requirements.filter(({ status }) => status === 'failed');
  const untested = requirements.filter(({ status, required }) => required === true && status === 'not-tested');
  const reasons = [
    ...countWithIds(failed, 'requirement failed', 'requirements failed'),
    ...countWithIds(untested, 'required requirement not tested', 'required requirements not tested'),
    ...requirements.flatMap(({ knownFailure }) => knownFailure?.stale ?? []),
  ];
  return { passed: reasons.length === 0, reasons };
}

/** Whether a run left questions open. */
export function isInconclusive(result: Pick<Grounds, 'requirements' | 'interrupted' | 'trouble'>): boolean {
  return openReasons(result).length > 0;
}

function openReasons({
  requirements,
  interrupted,
  trouble = [],
}: Pick<Grounds, 'requirements' | 'interrupted' | 'trouble'>): string[] {
  const errored = requirements.filter(({ status }) => status === 'errored');
  const untested = requirements.filter(({ status }) => status === 'not-tested');
  const limited = untested.filter(({ missing = [] }) => missing.some(({ kind }) => kind === 'limit'));
  return [
    ...(interrupted ? ['the run was interrupted'] : []),
    ...trouble,
    ...countWithIds(errored, 'requirement errored', 'requirements errored'),
    ...countWithIds(limited, 'requirement not tested', 'requirements not tested', ', since a response was too large'),
    ...(untested.length + errored.length === requirements.length ? ['nothing was tested'] : []),
  ];
}

/** Returns one line with the number and IDs of the requirements, or no line for an empty list. */
function countWithIds(all: readonly RequirementResult[], one: string, several = `${one}s`, why = ''): string[] {
  if (all.length === 0) return [];
  return [`${all.length} ${all.length === 1 ? one : several}${why}: ${summarizeIds(all.map(({ id }) => id))}`];
}

/**
 * Number of requirements by status:
 * `total` = `tested` + `errored` + `notTested`, and `tested` = `passed` + `failed` + `warned` + `knownFailures`.
 */
export type RequirementFigures = Omit<Summary, keyof Counts> & Readonly<Record<'total' | 'tested', number>>;

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

/** Exit codes of every command: `failed` is a failed gate, `inconclusive` a run without a decision. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, inconclusive: 3 } as const;
