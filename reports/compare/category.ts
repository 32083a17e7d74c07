import type { Status } from '../../suites/result.ts';
import type { CauseChange } from './cause-rows.ts';

/** Categories of requirement changes, the most important first. */
export const categories = [
  'regressions',
  'otherFailures',
  'stillFailing',
  'fixes',
  'noLongerTested',
  'newlyTested',
  'advice',
] as const;

export type Category = (typeof categories)[number];

/** Categories of cause changes. */
export const causeTitles: Readonly<Record<CauseChange, string>> = {
  added: 'New causes',
  revealed: 'Causes that the earlier run did not test',
  remaining: 'Remaining causes',
  gone: 'Fixed causes',
  untested: 'Causes that the later run did not test',
};

export const categoryTitles: Readonly<Record<Category, string>> = {
  regressions: 'Regressions: passed before, failed now',
  otherFailures: 'New failures: not known to have passed before',
  stillFailing: 'Still failing',
  fixes: 'Fixed',
  noLongerTested: 'No longer tested',
  newlyTested: 'Newly tested',
  advice: 'Recommendations followed in only one of the runs',
};

/** The category of a change. Null if nothing relevant changed. A status is null if a run lacks the requirement. */
export function categoryOf(before: Status | null, after: Status | null): Category | null {
  const was = standing(before);
  const is = standing(after);
  if (is === 'broken') {
    if (was === 'broken') return 'stillFailing';
    // A known failure is accepted by the owner of the list, so it is listed but is not a regression.
    return was === 'kept' && after === 'failed' ? 'regressions' : 'otherFailures';
  }
  if (is === 'kept') {
    if (was === 'broken') return 'fixes';
    if (was === 'unknown') return 'newlyTested';
    return before === after ? null : 'advice';
  }
  return was === 'unknown' ? null : 'noLongerTested';
}

function standing(status: Status | null): 'kept' | 'broken' | 'unknown' {
  if (status === 'failed' || status === 'known-failure') return 'broken';
  return status === 'passed' || status === 'warned' ? 'kept' : 'unknown';
}
