import { expect, test } from 'vitest';
import { weekdayOf, weekOf, weeksBetween } from './calendar.ts';

const at = (time: string) => Date.parse(time);

test('a week begins on the weekday that is asked for, at either end of the day', () => {
  expect(weekOf(at('2026-03-04T12:00:00Z'), 1).days[0]).toBe('2026-03-02');
  expect(weekOf(at('2026-03-02T00:00:00Z'), 1).days[0]).toBe('2026-03-02');
  expect(weekOf(at('2026-03-08T23:59:59.999Z'), 1).days[0]).toBe('2026-03-02');
  expect(weekOf(at('2026-03-08T00:00:00Z'), 0).days[0]).toBe('2026-03-08');
  const days = '2025-12-29 2025-12-30 2025-12-31 2026-01-01 2026-01-02 2026-01-03 2026-01-04';
  expect(weekOf(at('2025-12-31T10:00:00Z'), 1).days.join(' ')).toBe(days);
});

test('weeks are counted from one to another', () => {
  const week = (day: string) => weekOf(at(day), 1);
  expect(weeksBetween(week('2026-03-04'), week('2026-03-08'))).toBe(0);
  expect(weeksBetween(week('2026-03-08'), week('2026-03-09'))).toBe(1);
  expect(weeksBetween(week('2026-03-09'), week('2026-02-01'))).toBe(-6);
  // Sunday is weekday 0.
  expect(weekdayOf('2026-03-08')).toBe(0);
});
