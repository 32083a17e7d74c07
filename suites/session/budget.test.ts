import { expect, test } from 'vitest';
import type { Effect } from '../../fixtures/side-effects.ts';
import { defaultPace, type RoleKey } from '../target/target.ts';
import { Budget, ceilings, NotTested } from './budget.ts';

test('an effect that is not allowed is refused, with what is missing', () => {
  const budget = new Budget(['writes']);
  expect(() => budget.require('writes')).not.toThrow();
  const missing = [{ kind: 'effect', effect: 'spending' } as const];
  expect(() => budget.require('spending')).toThrow(new NotTested("side effect 'spending' is not allowed", missing));
});

test('what was stopped stays stopped, whatever is allowed', () => {
  const budget = new Budget(['proposals', 'spending', 'writes']);
  budget.stop(['proposals', 'spending'], 'stopped: it was seen');
  expect(() => budget.require('writes')).not.toThrow();
  expect(() => budget.require('proposals')).toThrow('stopped: it was seen');
  budget.stop(['spending'], 'stopped: again');
  expect(() => budget.require('spending')).toThrow('stopped: it was seen');
  expect(budget.stops).toEqual(['stopped: it was seen', 'stopped: again']);
});

test('other keys get fewer requests in a run that only reads', () => {
  const role: RoleKey = { role: 'pinned', key: 'key', variable: 'KEY' };
  const most = (allow: Effect[]) =>
    ceilings({ keys: { pinned: role }, allow, pace: defaultPace }, { observing: false, explore: 0 }).get('pinned');
  expect([most([]), most(['writes'])]).toEqual([260, 480]);
});
