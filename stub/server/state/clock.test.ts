import { expect, test } from 'vitest';
import { movableClock, systemClock } from './clock.ts';

test('a movable clock runs with its source, ahead of it by what it was advanced', () => {
  let now = 1000;
  const clock = movableClock({ now: () => now });
  clock.advance(2);
  clock.advance(0.25);
  expect(clock.now()).toBe(3250);
  now = 5000;
  expect(clock.now()).toBe(7250);
});

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 1e12])('it does not move by %s seconds', (seconds) => {
  const clock = movableClock({ now: () => 0 });
  expect(() => clock.advance(seconds)).toThrow(RangeError);
  expect(clock.now()).toBe(0);
});

test('it moves a hundred years in all, and no further', () => {
  const clock = movableClock(systemClock);
  for (let decade = 0; decade < 10; decade++) clock.advance(10 * 366 * 86_400);
  expect(() => clock.advance(1)).toThrow(RangeError);
  expect(() => new Date(clock.now()).toISOString()).not.toThrow();
});

test('it is set to a time that is to come, and begins at any', () => {
  const clock = movableClock({ now: () => 9000 }, 1000);
  expect(clock.now()).toBe(1000);
  clock.set(4000);
  expect(clock.now()).toBe(4000);
  expect(() => clock.set(3999)).toThrow('forward only: it shows 1970-01-01T00:00:04.000Z');
  clock.freeze();
  clock.set(5000);
  expect(clock.now()).toBe(5000);
});
