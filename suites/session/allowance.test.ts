import { expect, test } from 'vitest';
import { planReservation } from './allowance.ts';

const proposal = { way: 'proposal', worst: 2, times: 1, unusual: false } as const;
const confirmation = { way: 'correct', worst: 2, times: 1, unusual: false } as const;

test('a proposal reserves at most what is left, and waits only for open reservations', () => {
  expect(planReservation(proposal, 12, 12)).toEqual({ runners: 1, images: 2 });
  expect(planReservation(proposal, 1, 1)).toEqual({ runners: 1, images: 1 });
  expect(planReservation(proposal, 0, 0)).toEqual({ runners: 1, images: 0 });
  expect(planReservation(proposal, 12, 1)).toBe('wait');
});

test('an unusual proposal needs room for all its images', () => {
  expect(planReservation({ ...proposal, unusual: true }, 2, 2)).toEqual({ runners: 1, images: 2 });
  expect(planReservation({ ...proposal, unusual: true }, 1, 1)).toBe('too many');
});

test('a presentation needs room for all its images', () => {
  expect(planReservation(confirmation, 2, 2)).toEqual({ runners: 1, images: 2 });
  expect(planReservation(confirmation, 12, 1)).toBe('wait');
  expect(planReservation(confirmation, 1, 1)).toBe('too many');
});

test('simultaneous presentations are at least two, and at least half of those that could be sent later', () => {
  const race = { ...confirmation, times: 8 };
  expect(planReservation(race, 100, 100)).toEqual({ runners: 4, images: 8 });
  expect(planReservation(race, 100, 5)).toEqual({ runners: 2, images: 4 });
  expect(planReservation(race, 100, 3)).toBe('wait');
  expect(planReservation(race, 3, 3)).toBe('too many');
});

test('images that already count as spent need no room', () => {
  expect(planReservation({ way: 'counted', worst: 0, times: 8, unusual: false }, 0, 0)).toEqual({
    runners: 4,
    images: 0,
  });
});
