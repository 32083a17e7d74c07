import type { RunEvent, Status } from '../../suites/result.ts';

/** How far a run is. */
export interface Tally {
  checks: number;
  ended: number;
  byStatus: Partial<Record<Status, number>>;
  /** Topics of the checks that are at work, with how many. */
  topics: ReadonlyMap<string, number>;
  waits: readonly { reason: string; untilMs: number }[];
}

export const nothingYet: Tally = { checks: 0, ended: 0, byStatus: {}, topics: new Map(), waits: [] };

/** The tally after an event; `nowMs` is any clock that counts milliseconds. */
export function counting(tally: Tally, event: RunEvent, nowMs: number): Tally {
  switch (event.kind) {
    case 'started':
      return { ...tally, checks: event.checks };
    case 'check-started':
      return { ...tally, topics: shifted(tally.topics, event.topic, 1) };
    case 'check-ended':
      return {
        ...tally,
        ended: tally.ended + 1,
        byStatus: { ...tally.byStatus, [event.status]: (tally.byStatus[event.status] ?? 0) + 1 },
        topics: shifted(tally.topics, event.topic, -1),
      };
    case 'waiting':
      return { ...tally, waits: waiting(tally.waits, event.reason, nowMs, event.seconds) };
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

function shifted(topics: ReadonlyMap<string, number>, topic: string, by: number): ReadonlyMap<string, number> {
  const next = new Map(topics);
  const count = (next.get(topic) ?? 0) + by;
  if (count > 0) next.set(topic, count);
  else next.delete(topic);
  return next;
}
