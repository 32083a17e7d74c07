import { expect, test } from 'vitest';
import { timeScale } from './time-scale.ts';

test('busy time is shown evenly', () => {
  const scale = timeScale(
    [
      { atMs: 100, durationMs: 100 },
      { atMs: 200, durationMs: 100 },
    ],
    50,
    200,
  );
  expect([100, 150, 200, 300].map(scale.x)).toEqual([50, 100, 150, 250]);
  expect(scale.pauses).toEqual([]);
});

test('a long pause is shown shorter, and what lies in it stays in it', () => {
  const scale = timeScale(
    [
      { atMs: 0, durationMs: 500 },
      { atMs: 60_500, durationMs: 500 },
    ],
    0,
    1080,
  );
  expect(scale.pauses).toEqual([{ x: 500, width: 80, ms: 60_000 }]);
  expect([0, 500, 30_500, 60_500, 61_000].map((ms) => Math.round(scale.x(ms)))).toEqual([0, 500, 540, 580, 1080]);
});

test('spans that overlap are busy once; moments outside stay inside the drawing', () => {
  const scale = timeScale(
    [
      { atMs: 0, durationMs: 100 },
      { atMs: 50, durationMs: 50 },
    ],
    0,
    100,
  );
  expect(scale.x(100)).toBe(100);
  expect(scale.x(9999)).toBe(100);
  expect(scale.x(-5)).toBe(0);
});

test('without anything to show it does not fail', () => {
  expect(timeScale([], 10, 100).x(5)).toBe(10);
});
