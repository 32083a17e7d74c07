/** Returns briefs of several lengths, the default one first. */
export function briefs(runId: string): string[] {
  const start = `tck ${runId}: a grey square`;
  const sentence = 'It has an even tone, no border, no text and no shadow.';
  const longer = (times: number) => `${start}. ${`${sentence} `.repeat(times).trimEnd()}`;
  return [start, `tck ${runId}`, longer(1), longer(6), 'square', longer(12), longer(3)];
}

/** Returns the date `days` days after a time, as YYYY-MM-DD in UTC. */
export const dayAfter = (ms: number, days: number): string =>
  new Date(ms + days * 24 * 3600 * 1000).toISOString().slice(0, 10);
