import type { Status } from '../../suites/result.ts';

/** What a change of a requirement means to someone who compares two runs, the weightiest first. */
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

export const categoryTitles: Readonly<Record<Category, string>> = {
  regressions: 'Regressions: passed before, failed now',
  otherFailures: 'New failures: not known to have passed before',
  stillFailing: 'Still failing',
  fixes: 'Fixed',
  noLongerTested: 'No longer tested',
  newlyTested: 'Newly tested',
  advice: 'Recommendations followed in one run only',
};

/**
 * The category of a change; null where nothing changed that matters. A status is null where a run lacks the
 * requirement.
 */
export function categoryOf(before: Status | null, after: Status | null): Category | null {
  const was = standing(before);
  const is = standing(after);
  if (is === 'broken') {
    if (was === 'broken') return 'stillFailing';
    // A known failure is accepted by whoever keeps the list: it is told, but is no regression.
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
