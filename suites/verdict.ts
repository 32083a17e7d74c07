import { requirementFigures } from './figures.ts';
import { named } from './named.ts';
import type { Counts, Gate, RequirementResult, RunResult, Status, Verdict } from './result.ts';
import { statuses } from './result.ts';

/** What a verdict rests on. */
export interface Grounds {
  requirements: readonly RequirementResult[];
  interrupted: boolean;
  /** What kept the run as a whole from a verdict. */
  trouble?: readonly string[];
  counts: Counts;
}

export type Conclusion = Pick<RunResult, 'verdict' | 'complete' | 'gate' | 'reasons' | 'trouble' | 'summary'>;

/** The worst of several statuses; `not-tested` where there are none. */
export function worst(all: readonly Status[]): Status {
  return statuses.find((status) => all.includes(status)) ?? 'not-tested';
}

/** Decides what a run shows: the verdict on the deployment, the gate, whether the run is complete, and the counts. */
export function conclude(grounds: Grounds): Conclusion {
  const { requirements, counts, trouble = [] } = grounds;
  const { passed, failed, warned, errored, knownFailures, notTested } = requirementFigures(requirements);
  const withStatus = (status: Status) => requirements.filter((requirement) => requirement.status === status);
  const violations = [
    ...told(withStatus('failed'), 'requirement failed', 'requirements failed'),
    ...told(withStatus('known-failure'), 'known failure'),
  ];
  const open = openReasons(grounds);
  const verdict: Verdict = violations.length > 0 ? 'non-conformant' : open.length > 0 ? 'inconclusive' : 'conformant';
  return {
    verdict,
    complete: notTested + errored === 0,
    gate: gateOf(requirements),
    reasons: [...violations, ...open],
    trouble: [...trouble],
    summary: { passed, failed, warned, errored, knownFailures, notTested, ...counts },
  };
}

/** What several runs did together. */
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

/**
 * The gate fails on failures that are not known, on required requirements without a test, and on stale known failures.
 */
function gateOf(requirements: readonly RequirementResult[]): Gate {
  const failed = requirements.filter(({ status }) => status === 'failed');
  const untested = requirements.filter(({ status, required }) => required === true && status === 'not-tested');
  const reasons = [
    ...told(failed, 'requirement failed', 'requirements failed'),
    ...told(untested, 'required requirement not tested', 'required requirements not tested'),
    ...requirements.flatMap(({ knownFailure }) => knownFailure?.stale ?? []),
  ];
  return { passed: reasons.length === 0, reasons };
}

/** Whether a run left open what it set out to find out. */
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
    ...told(errored, 'requirement errored', 'requirements errored'),
    ...told(limited, 'requirement not tested', 'requirements not tested', ', since a response was too large'),
    ...(untested.length + errored.length === requirements.length ? ['nothing was tested'] : []),
  ];
}

/** How many came out like this, and which; nothing where none did. */
function told(all: readonly RequirementResult[], one: string, several = `${one}s`, why = ''): string[] {
  if (all.length === 0) return [];
  return [`${all.length} ${all.length === 1 ? one : several}${why}: ${named(all.map(({ id }) => id))}`];
}
