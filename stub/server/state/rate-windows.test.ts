import { expect, test } from 'vitest';
import { RateWindows } from './rate-windows.ts';

test('a window begins with its first call and lets the cap through', () => {
  const windows = new RateWindows();
  const take = (now: number) => windows.take('key', 2, 60, now);
  expect([take(0), take(10_000), take(20_000)]).toEqual([0, 0, 40]);
  expect(take(59_990)).toBe(1);
  expect(take(60_000)).toBe(0);
});

test('waiting exactly as long as was said is enough, also for a timer that fires a hair early', () => {
  for (const late of [0, 1, 2, 499, 999, 1000, 58_999]) {
    const windows = new RateWindows();
    windows.take('key', 1, 60, 0);
    const wait = windows.take('key', 1, 60, late);
    expect(wait).toBeGreaterThan(0);
    expect(windows.take('key', 1, 60, late + wait * 1000 - 1)).toBe(0);
  }
});
