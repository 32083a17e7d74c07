import type { Clock } from '../../stub/server/state/clock.ts';

/** A Wednesday at noon UTC, in milliseconds since 1970. */
export const wednesdayNoon = Date.parse('2026-03-04T12:00:00Z');

export const standingClock: Clock = { now: () => wednesdayNoon };
