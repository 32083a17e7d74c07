import { expect, test } from 'vitest';
import { movableClock, systemClock } from './clock.ts';

const unnoted = () => undefined;

test('a movable clock runs with its source, ahead of it by what it was advanced', () => {
  let now = 1000;
  const clock = movableClock({ now: () => now }, unnoted);
  clock.advance(2);
  clock.advance(0.25);
  expect(clock.now()).toBe(3250);
  now = 5000;
  expect(clock.now()).toBe(7250);
});

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 1e12])('it does not move by %s seconds', (seconds) => {
  const clock = movableClock({ now: () => 0 }, unnoted);
  expect(() => clock.advance(seconds)).toThrow(RangeError);
  expect(clock.now()).toBe(0);
});

test('it moves a hundred years in all, and no further', () => {
  const clock = movableClock(systemClock, unnoted);
  for (let decade = 0; decade < 10; decade++) clock.advance(10 * 366 * 86_400);
  expect(() => clock.advance(1)).toThrow(RangeError);
  expect(() => new Date(clock.now()).toISOString()).not.toThrow();
});

test('it is set to a time that is to come, and begins at any', () => {
  const at = (second: number) => `2027-03-08T09:00:0${second}Z`;
  const clock = movableClock({ now: () => Date.parse(at(9)) }, unnoted, at(1));
  expect(clock.now()).toBe(Date.parse(at(1)));
  clock.set(at(4));
  expect(clock.now()).toBe(Date.parse(at(4)));
  expect(() => clock.set(at(3))).toThrow('forward only: it shows 2027-03-08T09:00:04.000Z');
  clock.freeze();
  clock.set(at(5));
  clock.advance(1);
  expect(clock.now()).toBe(Date.parse(at(6)));
});

test('a frozen clock stands, moves when it is told to, and goes on from where it stood', () => {
  let now = 1_800_000_000_000;
  const clock = movableClock({ now: () => now }, unnoted);
  clock.freeze();
  now += 50_000;
  expect(clock.now()).toBe(1_800_000_000_000);
  clock.advance(10);
  clock.resume();
  now += 5000;
  expect(clock.now()).toBe(1_800_000_015_000);
});
