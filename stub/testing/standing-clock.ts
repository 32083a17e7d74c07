import type { Clock } from '../server/state/clock.ts';

/** A Wednesday at noon, UTC. */
export const wednesdayNoon = Date.parse('2026-03-04T12:00:00Z');

/** A clock that does not move by itself. */
export const standingClock: Clock = { now: () => wednesdayNoon };
