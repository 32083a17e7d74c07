import { expect, test } from 'vitest';
import { intervalMs, nextStartMs, type Round, requestsOfDay } from './watch-schedule.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const everyMs = 10 * minute;

test('the first run starts at once, the next ones at the interval', () => {
  expect(nextStartMs({ everyMs, budget: 50_000 }, 100, [])).toBe(0);
  expect(nextStartMs({ everyMs, budget: 50_000 }, 100, [{ startMs: 5, requests: 100 }])).toBe(5 + everyMs);
});

test('a small budget makes the interval longer, instead of ending the watch before the day ends', () => {
  expect(intervalMs({ everyMs, budget: 1000 }, 100)).toBe(day / 10);
  expect(nextStartMs({ everyMs, budget: 1000 }, 100, [{ startMs: 0, requests: 100 }])).toBe(day / 10);
  expect(nextStartMs({ everyMs, budget: 1000 }, 100, [{ startMs: 0, requests: 200 }])).toBe(day / 5);
});

test.each([100, 130, 250, 999])(
  'no 24 hours have more requests than a budget of 1000, with %i in a run',
  (requests) => {
    const past: Round[] = [];
    while (past.length < 60) {
      const startMs = nextStartMs({ everyMs, budget: 1000 }, requests, past);
      past.push({ startMs, requests });
      expect(requestsOfDay(past, startMs)).toBeLessThanOrEqual(1000);
    }
    // The watch uses the budget: it does not wait longer than it must.
    const days = ((past.at(-1)?.startMs ?? 0) + 1) / day;
    expect(past.length / days).toBeGreaterThanOrEqual(Math.floor(1000 / requests) * 0.9);
  },
);

test('a run that needs more than the budget waits for a whole day', () => {
  expect(nextStartMs({ everyMs, budget: 100 }, 90, [{ startMs: 7, requests: 120 }])).toBe(7 + day);
});
