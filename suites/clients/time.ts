/** Shortest time in which a person can read a sentence and decide. */
export const readingMs = 1000;

export function inSeconds(ms: number): string {
  return `${(Math.max(0, ms) / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;
}
