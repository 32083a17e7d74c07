import { expect, test } from 'vitest';
import { answered } from '../../test/history.ts';
import { chainOf } from './chain.ts';

let number = 0;

/** Returns an exchange of `images.generate` with the primary key. */
function exchange(args: Record<string, unknown>, body: unknown) {
  number += 1;
  return answered({ tool: 'images.generate', args, body }, number);
}

const request = { board: 'b-1', brief: 'a square', count: 1, shape: '1:1' };
const proposed = (id: string) => ({ ok: true, status: 'confirmation_required', confirmation_id: id, run_id: null });
const dispatched = { ok: true, status: 'dispatched', run_id: 'run_1' };
const refused = (code: string) => ({ ok: false, code });

test('the story of a used id is its proposal, its first use and the use that had to be refused', () => {
  const proposal = exchange(request, proposed('c1'));
  const other = exchange(request, proposed('c2'));
  const first = exchange({ ...request, confirmation_id: 'c1' }, dispatched);
  const again = exchange({ ...request, confirmation_id: 'c1' }, dispatched);
  const { exchanges, control } = chainOf([again], [proposal, other, first, again], new Set());
  expect(exchanges).toEqual([proposal, first, again]);
  expect(control).toBeUndefined();
});

test('an id that was refused without a use has what happened to other ids in its story', () => {
  const proposal = exchange(request, proposed('c1'));
  const other = exchange(request, proposed('c2'));
  const late = exchange({ ...request, confirmation_id: 'c1' }, refused('confirmation_invalid'));
  expect(chainOf([late], [proposal, other, late]).exchanges).toEqual([proposal, other, late]);
});

test('an id in other case belongs to the proposal that it resembles', () => {
  const proposal = exchange(request, proposed('c1'));
  const shouted = exchange({ ...request, confirmation_id: 'C1' }, dispatched);
  expect(chainOf([shouted], [proposal, shouted]).exchanges).toEqual([proposal, shouted]);
});

test.each([
  ['0', 'conf-2026'],
  ['7', '3'],
  ['conf-2026-abcdefgh', '2'],
])('the short ID in %j and %j is no resemblance', (presented, issued) => {
  const proposal = exchange(request, proposed(issued));
  const wrong = exchange({ ...request, confirmation_id: presented }, dispatched);
  expect(chainOf([wrong], [proposal, wrong]).exchanges).toEqual([wrong]);
});

test('the control is the request that succeeded and differs least, and none that has a finding itself', () => {
  const near = exchange({ ...request, count: 2 }, proposed('c1'));
  const far = exchange({ ...request, board: 'b-2', count: 3 }, proposed('c2'));
  const wrong = exchange({ ...request, count: 0 }, proposed('c3'));
  expect(chainOf([wrong], [far, near, wrong], new Set([wrong.number])).control).toBe(near);
  expect(chainOf([wrong], [far, near, wrong], new Set([wrong.number, near.number])).control).toBe(far);
  expect(chainOf([wrong], [far, near, wrong]).control).toBeUndefined();
  const alsoWrong = exchange({ ...request, shape: 1 }, proposed('c4'));
  expect(chainOf([wrong], [alsoWrong, wrong], new Set([wrong.number])).control, 'accepted by mistake').toBeUndefined();
});
