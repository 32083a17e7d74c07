import type { RunResult } from '../../suites/result.ts';
import { type CauseRow, causeChange, causeRows } from '../compare/cause-rows.ts';
import { compareReports, headOf, type RunHead } from '../compare/model.ts';
import { notes } from '../compare/words.ts';
import { figuresOf } from '../figures.ts';

/** Figures of one run in a history. */
export interface HistoryRun extends RunHead {
  causes: number;
  /** Numbers of requirements. */
  requirements: { failed: number; tested: number; total: number };
  durationMs: number;
  requests: number;
  /** Causes that are new or fixed since the previous run. */
  added: number;
  gone: number;
  /** Why a change can come from the run instead of the deployment, for example a different scope. */
  notes: string[];
}

/** The trend over several runs, the oldest first. */
export interface History {
  schemaVersion: 1;
  runs: HistoryRun[];
  /** All causes of all runs. */
  causes: CauseRow[];
}

/** The trend over several reports, ordered by start time. */
export function historyOf(reports: readonly RunResult[]): History {
  const runs = reports.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
  const causes = causeRows(runs);
  return {
    schemaVersion: 1,
    runs: runs.map((run, index) => {
      const before = runs[index - 1];
      const changes = causes.map(({ states }) => {
        const [was, is] = [states[index - 1], states[index]];
        return was === undefined || is === undefined ? null : causeChange(was, is);
      });
      const { requirements } = figuresOf(run);
      return {
        ...headOf(run),
        causes: causes.filter(({ states }) => states[index] === 'there').length,
        requirements: {
          failed: requirements.failed,
          tested: requirements.tested,
          total: requirements.total,
        },
        durationMs: run.durationMs,
        requests: run.summary.requests,
        added: changes.filter((change) => change === 'added' || change === 'revealed').length,
        gone: changes.filter((change) => change === 'gone').length,
        notes: before === undefined ? [] : notes(compareReports(before, run)),
      };
    }),
    causes,
  };
}
