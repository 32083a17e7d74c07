import type { RunResult } from '../../suites/result.ts';
import type { KeptAnswer } from './again.ts';
import { outcomes, type Replayed, type ReplayOutcome } from './judge.ts';

/** What `tck replay --json` prints. */
export interface ReplayJson {
  schemaVersion: 1;
  baseUrl: string;
  startedAt: string;
  notices: string[];
  summary: Record<ReplayOutcome, number>;
  findings: {
    outcome: ReplayOutcome;
    requirements: string[];
    expected: string;
    before: string;
    /** What is wrong now; null where nothing is, or nothing could be told. */
    now: { expected: string; actual: string; hint: string } | null;
    why: string | null;
    exchanges: {
      id: number;
      credential: string;
      before: KeptAnswer | null;
      now: KeptAnswer | null;
      why: string | null;
    }[];
  }[];
}

/** What became of the findings of a report, for other programs. */
export function replayJson(result: RunResult, replayed: readonly Replayed[]): ReplayJson {
  return {
    schemaVersion: 1,
    baseUrl: result.target.baseUrl,
    startedAt: result.startedAt,
    notices: result.notices,
    summary: Object.fromEntries(
      outcomes.map((outcome) => [outcome, replayed.filter((each) => each.outcome === outcome).length]),
    ) as Record<ReplayOutcome, number>, // one entry for each outcome
    findings: replayed.map(({ outcome, group, now, why, exchanges }) => ({
      outcome,
      requirements: group.requirements.map(({ id }) => id),
      expected: group.finding.expected,
      before: group.finding.actual,
      now: now && { expected: now.expected, actual: now.actual, hint: now.hint },
      why: why ?? null,
      exchanges: exchanges.map((each) => ({
        id: each.before.id,
        credential: each.before.credential,
        before: each.before.response,
        now: each.now,
        why: each.why ?? null,
      })),
    })),
  };
}
