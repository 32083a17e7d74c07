import { named } from './named.ts';
import type { LeftBehind, RequirementResult, RunResult, Status } from './result.ts';
import { statuses } from './result.ts';

/** What a verdict rests on. */
export interface Grounds {
  requirements: readonly RequirementResult[];
  interrupted: boolean;
  /** Why nothing could be checked at all. */
  trouble?: string | undefined;
  /** Ids that have to be tested. */
  required?: ReadonlySet<string>;
  /** Known failures that are stale or past their date, one sentence each. */
  stale?: readonly string[];
  requests: number;
  leftBehind: LeftBehind;
}

export type Conclusion = Pick<RunResult, 'verdict' | 'complete' | 'reasons' | 'summary'>;

/** The worst of several outcomes; `not-tested` where there are none. */
export function worst(all: readonly Status[]): Status {
  return statuses.find((status) => all.includes(status)) ?? 'not-tested';
}

/** The reason of a verdict on nothing. */
export const nothingTested = 'nothing was tested';

/** Decides what a run shows: the verdict, whether it is complete, why, and the counts. */
export function conclude(grounds: Grounds): Conclusion {
  const { requirements, required = new Set<string>(), stale = [], leftBehind } = grounds;
  const withStatus = (status: Status) => requirements.filter((requirement) => requirement.status === status);
  const failed = withStatus('failed');
  const errored = withStatus('errored');
  const limited = withStatus('not-tested').filter(({ checks }) =>
    checks.some(({ missing = [] }) => missing.some(({ kind }) => kind === 'limit')),
  );
  const untested = withStatus('not-tested').filter(({ id }) => required.has(id));
  const tested = requirements.some(({ status }) => status !== 'not-tested' && status !== 'errored');

  const against = [
    ...told(failed, 'requirement', 'failed'),
    ...stale,
    ...told(untested, 'required requirement', 'not tested'),
  ];
  const open = [
    ...(grounds.interrupted ? ['the run was interrupted'] : []),
    ...(grounds.trouble === undefined ? [] : [grounds.trouble]),
    ...told(errored, 'requirement', 'errored'),
    ...told(limited, 'requirement', 'not tested, since a response was too large'),
    ...(tested ? [] : [nothingTested]),
  ];
  const deviates = against.length > 0 && !grounds.interrupted;
  const verdict = deviates ? 'non-conformant' : open.length > 0 ? 'inconclusive' : 'conformant';
  return {
    verdict,
    complete: requirements.every(({ status }) => status !== 'not-tested' && status !== 'errored'),
    reasons: verdict === 'inconclusive' ? [...open, ...against] : [...against, ...open],
    summary: {
      passed: withStatus('passed').length,
      failed: failed.length,
      warned: withStatus('warned').length,
      errored: errored.length,
      knownFailures: withStatus('known-failure').length,
      notTested: withStatus('not-tested').length,
      requests: grounds.requests,
      imagesConfirmed: leftBehind.runs.reduce((sum, { images }) => sum + images, 0),
      contentRequestsCreated: leftBehind.contentRequests.length,
    },
  };
}

/** How many came out like this, and which; nothing where none did. */
function told(all: readonly RequirementResult[], noun: string, outcome: string): string[] {
  if (all.length === 0) return [];
  return [`${all.length} ${noun}${all.length === 1 ? '' : 's'} ${outcome}: ${named(all.map(({ id }) => id))}`];
}
