import { attempt } from './attempt.ts';
import type { Surroundings } from './context.ts';
import type { Outcome } from './outcome.ts';

/**
 * Runs checks that failed beside others again, with nothing shared with before and with what is left of the budget. Where one passes then, its
 * findings say so.
 */
export async function tryAgain(
  outcomes: readonly Outcome[],
  around: Surroundings,
  interrupted: () => boolean,
): Promise<void> {
  const failed = outcomes.filter(
    ({ check, status, findings }) =>
      (check.needs.alone === false || check.needs.alone === 'unexpired') && status === 'failed' && findings.length > 0,
  );
  const afresh: Surroundings = {
    ...around,
    shared: new Map(),
    onControl: () => undefined,
  };
  await Promise.all(
    failed.map(async ({ check, findings }) => {
      const second = await attempt(check, afresh, interrupted);
      if (second.status !== 'passed') return;
      for (const finding of findings) {
        finding.note =
          'the same check passed when it was run again, with other calls around it: the deployment does not always answer alike, or what came before matters';
      }
    }),
  );
}
