import type { RunResult } from '../../suites/result.ts';

/** Offset of exchange IDs and times of a run in a merged report. */
export interface Shift {
  ids: number;
  ms: number;
}

/** Adds an offset to the exchange IDs and times of a result. */
export function shifted(result: RunResult, { ids, ms }: Shift): RunResult {
  const further = (exchanges: readonly number[]) => exchanges.map((id) => id + ids);
  return {
    ...result,
    requirements: result.requirements.map((requirement) => ({
      ...requirement,
      ...(requirement.exchanges === undefined ? {} : { exchanges: further(requirement.exchanges) }),
      findings: requirement.findings.map((finding) => ({
        ...finding,
        exchanges: further(finding.exchanges),
        ...(finding.story === undefined ? {} : { story: further(finding.story) }),
        ...(finding.twin === undefined ? {} : { twin: finding.twin + ids }),
      })),
    })),
    observations: result.observations.map((one) => ({ ...one, exchanges: further(one.exchanges) })),
    exchanges: result.exchanges.map((one) => ({ ...one, id: one.id + ids, atMs: one.atMs + ms })),
    timeline: result.timeline.map((entry) => ({ ...entry, atMs: entry.atMs + ms })),
  };
}
