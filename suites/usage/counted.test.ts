import { expect, test } from 'vitest';
import { summarizeIds } from './counted.ts';

const several = (topic: string, count: number) => Array.from({ length: count }, (_, index) => `${topic}.r${index}`);

test.each([
  [[], ''],
  [several('race', 6), 'race.r0, race.r1, race.r2, race.r3, race.r4, race.r5'],
  [[...several('race', 7)], 'race (7)'],
  [[...several('race', 4), 'credits.balance', ...several('headers', 2)], 'race (4), credits.balance, headers (2)'],
])('%j', (ids, text) => {
  expect(summarizeIds(ids)).toBe(text);
});
