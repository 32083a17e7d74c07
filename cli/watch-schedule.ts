const dayMs = 24 * 3600 * 1000;

/** A run of the watch. */
export interface Round {
  readonly startMs: number;
  readonly requests: number;
}

/** Limits of a watch. */
export interface Schedule {
  /** Time from the start of one run to the start of the next. */
  readonly everyMs: number;
  /** Most requests in 24 hours. */
  readonly budget: number;
}

/** Returns the time between the starts of two runs with this many requests each. Spreads the budget over the day. */
export function intervalMs({ everyMs, budget }: Schedule, requests: number): number {
  return Math.max(everyMs, (requests / budget) * dayMs);
}

/** Returns the requests of the 24 hours before a time. */
export function requestsOfDay(past: readonly Round[], nowMs: number): number {
  return past.filter(({ startMs }) => startMs > nowMs - dayMs).reduce((sum, { requests }) => sum + requests, 0);
}

/**
 * Returns when to start the next run, which sends `planned` requests or as many as the last run. `past` has the oldest
 * run first.
 */
export function nextStartMs(schedule: Schedule, planned: number, past: readonly Round[]): number {
  const last = past.at(-1);
  if (last === undefined) return 0;
  const requests = Math.min(schedule.budget, Math.max(planned, last.requests));
  const evenly = last.startMs + intervalMs(schedule, requests);
  const fits = (atMs: number) => requestsOfDay(past, atMs) + requests <= schedule.budget;
  const laterTimes = past.map(({ startMs }) => startMs + dayMs).filter((atMs) => atMs > evenly);
  return [evenly, ...laterTimes].find(fits) ?? evenly;
}
