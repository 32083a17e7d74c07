import type { OwnWords } from '../exchange/redactor.ts';
import type { RunEvent, RunResult } from '../result.ts';

/**
 * Parts of a result that contain only words of the kit. A key that contains such a word must not make a report
 * unreadable.
 */
export const ownWords: OwnWords<RunResult> = {
  kit: true,
  document: true,
  target: { kind: true, roles: true, allow: true },
  runId: true,
  startedAt: true,
  verdict: true,
  gate: {},
  summary: true,
  requirements: {
    id: true,
    topic: true,
    level: true,
    statement: true,
    source: true,
    ruling: true,
    severity: true,
    since: true,
    status: true,
    missing: { kind: true, role: true, effect: true, setting: true, option: true },
    knownFailure: {},
    findings: {},
  },
  outsideReach: true,
  observations: { id: true, question: true },
  leftBehind: { contentRequests: {}, runs: {} },
  baseline: {
    runs: { startedAt: true, verdict: true },
    causes: { id: true, severity: true, statuses: true, finding: {} },
    rows: { id: true, title: true, severity: true, statuses: true, finding: {} },
  },
  exchanges: {
    role: true,
    credential: true,
    request: { method: true },
    response: {},
    trace: { traceId: true, spanId: true },
  },
  timeline: { credential: true },
};

export const ownWordsOfEvents: OwnWords<RunEvent> = {
  kind: true,
  requirement: true,

  title: true,
  story: true,
  step: true,
  status: true,
  first: {},
};
