import type { RunResult } from '../../suites/result.ts';

/** How far the exchanges of a run stand behind those that come before them in a merged report. */
export interface Shift {
  ids: number;
  ms: number;
}

/** The same result with the ids of its exchanges, and its times, counted on from elsewhere. */
export function shifted(result: RunResult, { ids, ms }: Shift): RunResult {
  const further = (exchanges: readonly number[]) => exchanges.map((id) => id + ids);
  return {
    ...result,
    requirements: result.requirements.map((requirement) => ({
      ...requirement,
      ...(requirement.exchanges === undefined ? {} : { exchanges: further(requirement.exchanges) }),
      findings: requirement.findings.map((finding) => ({ ...finding, exchanges: further(finding.exchanges) })),
    })),
    observations: result.observations.map((one) => ({ ...one, exchanges: further(one.exchanges) })),
    exchanges: result.exchanges.map((one) => ({ ...one, id: one.id + ids, atMs: one.atMs + ms })),
    timeline: result.timeline.map((entry) => ({ ...entry, atMs: entry.atMs + ms })),
  };
}
