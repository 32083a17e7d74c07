const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Returns the seconds of a duration such as `30s`, `10m`, `2h` or `7d`; NaN for other texts. */
export function secondsIn(duration: string): number {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(duration) ?? [];
  return Number(count) * (unitSeconds[unit] ?? Number.NaN);
}
