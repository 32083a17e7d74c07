import type { RunResult } from '../../suites/result.ts';
import type { KeptAnswer } from './again.ts';
import { outcomes, type Replayed, type ReplayOutcome } from './judge.ts';

/** Output of `tck replay --json`. */
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
    /** Current violation. Null if no violation exists, or if the replay was inconclusive. */
    now: { expected: string; actual: string; hint: string } | null;
    why: string | null;
    /** Requests that were sent for the finding, in order. */
    sent: { story: string; step: string; text: string }[];
    exchanges: {
      id: number;
      credential: string;
      before: KeptAnswer | null;
      now: KeptAnswer | null;
      why: string | null;
    }[];
  }[];
}

/** Results of a replay in JSON form. */
export function replayJson(result: RunResult, replayed: readonly Replayed[]): ReplayJson {
  return {
    schemaVersion: 1,
    baseUrl: result.target.baseUrl,
    startedAt: result.startedAt,
    notices: result.notices,
    summary: Object.fromEntries(
      outcomes.map((outcome) => [outcome, replayed.filter((each) => each.outcome === outcome).length]),
    ) as Record<ReplayOutcome, number>, // one entry for each outcome
    findings: replayed.map(({ outcome, cause, now, why, exchanges, sent }) => ({
      outcome,
      requirements: cause.requirements.map(({ id }) => id),
      expected: cause.finding.expected,
      before: cause.finding.actual,
      now: now && { expected: now.expected, actual: now.actual, hint: now.hint },
      why: why ?? null,
      sent,
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
