import { expect, test } from 'vitest';
import { planReservation } from './spending.ts';

type Request = Parameters<typeof planReservation>[0];

const proposal: Request = { cost: 2, times: 1, needsRoom: false };
const confirmation: Request = { ...proposal, needsRoom: true };
const race: Request = { ...confirmation, times: 8 };
const counted: Request = { ...race, cost: 0 };

test.each<[string, Request, left: number, free: number, [runners: number, images: number] | 'wait' | 'too many']>([
  ['a proposal', proposal, 12, 12, [1, 2]],
  ['a proposal reserves at most what is left', proposal, 1, 1, [1, 1]],
  ['a proposal needs no room', proposal, 0, 0, [1, 0]],
  ['a proposal waits for open reservations', proposal, 12, 1, 'wait'],
  ['a confirmation', confirmation, 2, 2, [1, 2]],
  ['a confirmation waits for open reservations', confirmation, 12, 1, 'wait'],
  ['a confirmation needs room for all its images', confirmation, 1, 1, 'too many'],
  ['four of a race are the most', race, 100, 100, [4, 8]],
  ['half of a race is enough', race, 100, 5, [2, 4]],
  ['less than half of a race waits', race, 100, 3, 'wait'],
  ['one is no race', race, 3, 3, 'too many'],
  ['images that already count need no room', counted, 0, 0, [4, 0]],
])('%s', (_, request, left, free, expected) => {
  const plan = () => planReservation(request, { left, free, most: 12 });
  if (expected === 'too many') expect(plan).toThrow('maxImages is 12, and this request could exceed it');
  else expect(plan()).toEqual(expected === 'wait' ? expected : { runners: expected[0], images: expected[1] });
});
