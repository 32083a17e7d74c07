import type { Clock } from './clock.ts';

const dayMs = 86_400_000;

/** The day of a moment in UTC, YYYY-MM-DD. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Whether a text that looks like a date is one: `2026-02-30` is not. */
export function isRealDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && dayOf(ms) === day;
}

/** Counted from Sunday as 0. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

export interface Week {
  /** Seven days, YYYY-MM-DD. */
  readonly days: readonly [string, ...string[]];
  /** Milliseconds since 1970. */
  readonly startsAt: number;
}

/** The week that holds a moment. `firstWeekday` counts from Sunday as 0. */
export function weekOf(ms: number, firstWeekday: number): Week {
  const midnight = Math.floor(ms / dayMs) * dayMs;
  const since = (new Date(ms).getUTCDay() - firstWeekday + 7) % 7;
  const startsAt = midnight - since * dayMs;
  const day = (index: number): string => dayOf(startsAt + index * dayMs);
  return { startsAt, days: [day(0), day(1), day(2), day(3), day(4), day(5), day(6)] };
}

/** Weeks from one week to another: 0 for the same one, negative for one before. */
export function weeksBetween(from: Week, to: Week): number {
  return Math.round((to.startsAt - from.startsAt) / (7 * dayMs));
}

/** Reads the current week off a clock; one that was read before is not made again until it is over. */
export function createWeekReader(clock: Clock): (firstWeekday: number) => Week {
  let current: { readonly firstWeekday: number; readonly week: Week } | undefined;
  return (firstWeekday) => {
    const now = clock.now();
    const age = current?.firstWeekday === firstWeekday ? now - current.week.startsAt : Number.NaN;
    if (current !== undefined && age >= 0 && age < 7 * dayMs) return current.week;
    current = { firstWeekday, week: weekOf(now, firstWeekday) };
    return current.week;
  };
}
