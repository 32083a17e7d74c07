import type { RunEvent, Status } from '../../suites/result.ts';

/** Progress of a run. */
export interface Tally {
  /** Number of selected requirements. */
  requirements: number;
  ended: number;
  byStatus: Partial<Record<Status, number>>;
  /** Stories in progress. */
  stories: readonly string[];
  waits: readonly { reason: string; untilMs: number }[];
  /** Undefined before the first request. */
  sent?: Extract<RunEvent, { kind: 'sent' }>;
}

export const nothingYet: Tally = { requirements: 0, ended: 0, byStatus: {}, stories: [], waits: [] };

/** Updates the tally with an event. `nowMs` is a time in milliseconds. */
export function counting(tally: Tally, event: RunEvent, nowMs: number): Tally {
  switch (event.kind) {
    case 'started':
      return { ...tally, requirements: event.requirements };
    case 'story-started':
      return { ...tally, stories: [...tally.stories, event.story] };
    case 'story-ended':
      return { ...tally, stories: tally.stories.filter((story) => story !== event.story) };
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

/** Merges waits with the same reason: the merged wait lasts until the last of them ends. */
function waiting(waits: Tally['waits'], reason: string, nowMs: number, seconds: number): Tally['waits'] {
  const before = waits.find((wait) => wait.reason === reason)?.untilMs ?? 0;
  const others = waits.filter((wait) => wait.untilMs > nowMs && wait.reason !== reason);
  return [...others, { reason, untilMs: Math.max(before, nowMs + seconds * 1000) }];
}
