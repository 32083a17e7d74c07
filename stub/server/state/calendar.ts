const dayMs = 86_400_000;

/** UTC date of a time in milliseconds since 1970, as YYYY-MM-DD. */
function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Returns whether a YYYY-MM-DD string is a real date: `2026-02-30` is not. */
export function isRealDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && dayOf(ms) === day;
}

/** Returns 0 for Sunday to 6 for Saturday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

export interface Week {
  /** Seven days, YYYY-MM-DD. */
  readonly days: readonly [string, ...string[]];
  /** Milliseconds since 1970. */
  readonly startsAt: number;
}

/** Week that contains a time in milliseconds since 1970. `firstWeekday` is 0 for Sunday. */
export function weekOf(ms: number, firstWeekday: number): Week {
  const midnight = Math.floor(ms / dayMs) * dayMs;
  const since = (new Date(ms).getUTCDay() - firstWeekday + 7) % 7;
  const startsAt = midnight - since * dayMs;
  const day = (index: number): string => dayOf(startsAt + index * dayMs);
  return { startsAt, days: [day(0), day(1), day(2), day(3), day(4), day(5), day(6)] };
}

/** Number of weeks from one week to another; negative if `to` is earlier. */
export function weeksBetween(from: Week, to: Week): number {
  return Math.round((to.startsAt - from.startsAt) / (7 * dayMs));
}
