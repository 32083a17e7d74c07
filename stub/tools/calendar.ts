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

export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/** The seven days of the week that holds a moment. `firstWeekday` counts from Sunday as 0. */
export function weekOf(ms: number, firstWeekday: number): readonly [string, ...string[]] {
  const since = (new Date(ms).getUTCDay() - firstWeekday + 7) % 7;
  const start = ms - since * dayMs;
  return [dayOf(start), ...[1, 2, 3, 4, 5, 6].map((days) => dayOf(start + days * dayMs))];
}

/** Weeks from one moment's week to the week of a day: 0 for the same one, negative for one that is over. */
export function weeksAhead(ms: number, day: string, firstWeekday: number): number {
  const [start] = weekOf(ms, firstWeekday);
  return Math.floor((Date.parse(day) - Date.parse(start)) / (7 * dayMs));
}
