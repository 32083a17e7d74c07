import { expect, test } from 'vitest';
import type { TimelineEntry } from '../../suites/result.ts';
import { waitsOf } from './waits.ts';

function entry(atMs: number, waitedMs?: number): TimelineEntry {
  const call = { atMs, durationMs: 10, credential: 'primary', tool: 'schedule.read' };
  return waitedMs === undefined ? { ...call, status: 200 } : { ...call, status: 429, waitedMs };
}

test('a wait lasts until the call is repeated', () => {
  expect(waitsOf([entry(0), entry(100, 2000), entry(2115)], 2125)).toEqual([{ atMs: 110, durationMs: 2000 }]);
});

test('calls that wait for the same moment wait once', () => {
  const entries = [entry(100, 2000), entry(105, 2000), entry(108, 1990), entry(2120), entry(2121), entry(2122)];
  expect(waitsOf(entries, 2132)).toEqual([
    { atMs: 110, durationMs: 2000 },
    { atMs: 2110, durationMs: 5 },
  ]);
});

test('a wait that was cut short, by a clock that moved or by the end of the run, was as long as it was', () => {
  expect(waitsOf([entry(100, 60_000), entry(150)], 160)).toEqual([{ atMs: 110, durationMs: 40 }]);
  expect(waitsOf([entry(100, 60_000)], 500)).toEqual([{ atMs: 110, durationMs: 390 }]);
});

test('without answers 429 nothing was waited', () => {
  expect(waitsOf([entry(0), entry(20)], 30)).toEqual([]);
  expect(waitsOf([], 0)).toEqual([]);
});
