import type { RunEvent, Status } from '../../suites/result.ts';

/** How far a run is. */
export interface Tally {
  /** Requirements that are tested. */
  requirements: number;
  ended: number;
  byStatus: Partial<Record<Status, number>>;
  /** Flows that are at work. */
  flows: readonly string[];
  waits: readonly { reason: string; untilMs: number }[];
  /** Undefined before the first request. */
  sent?: Extract<RunEvent, { kind: 'sent' }>;
}

export const nothingYet: Tally = { requirements: 0, ended: 0, byStatus: {}, flows: [], waits: [] };

/** The tally after an event; `nowMs` is any clock that counts milliseconds. */
export function counting(tally: Tally, event: RunEvent, nowMs: number): Tally {
  switch (event.kind) {
    case 'started':
      return { ...tally, requirements: event.requirements };
    case 'flow-started':
      return { ...tally, flows: [...tally.flows, event.flow] };
    case 'flow-ended':
      return { ...tally, flows: tally.flows.filter((flow) => flow !== event.flow) };
    case 'requirement-ended':
      return {
        ...tally,
        ended: tally.ended + 1,
        byStatus: { ...tally.byStatus, [event.status]: (tally.byStatus[event.status] ?? 0) + 1 },
      };
    case 'waiting':
      return { ...tally, waits: waiting(tally.waits, event.reason, nowMs, event.seconds) };
    case 'sent':
      return { ...tally, sent: event };
    case 'request':
    case 'notice':
      return tally;
  }
}

/** Several calls may wait for the same reason: it is told once, until the last of them goes on. */
function waiting(waits: Tally['waits'], reason: string, nowMs: number, seconds: number): Tally['waits'] {
  const before = waits.find((wait) => wait.reason === reason)?.untilMs ?? 0;
  const others = waits.filter((wait) => wait.untilMs > nowMs && wait.reason !== reason);
  return [...others, { reason, untilMs: Math.max(before, nowMs + seconds * 1000) }];
}
