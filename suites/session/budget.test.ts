import { describe, expect, test } from 'vitest';
import { Budget, NotTested } from './budget.ts';

const everything = ['proposals', 'spending'] as const;

test('an effect that is not allowed is refused, with what is missing', () => {
  const budget = new Budget(['writes'], 8);
  expect(budget.allows('writes')).toBe(true);
  expect(budget.allows('spending')).toBe(false);
  expect(() => budget.require('writes')).not.toThrow();
  const missing = [{ kind: 'effect', effect: 'spending' } as const];
  expect(() => budget.require('spending')).toThrow(new NotTested("the effect 'spending' is not allowed", missing));
});

describe('images', () => {
  test('no more are set aside than may be confirmed', async () => {
    const budget = new Budget(everything, 3);
    for (let times = 0; times < 3; times += 1) {
      await budget.reserveImages(1);
      budget.settleImages(1, 1);
    }
    await expect(budget.reserveImages(1)).rejects.toThrow('maxImages is 3');
  });

  test('what was set aside and not dispatched is free again', async () => {
    const budget = new Budget(everything, 1);
    for (let times = 0; times < 20; times += 1) {
      await budget.reserveImages(1);
      budget.settleImages(1, 0);
    }
    await expect(budget.reserveImages(1)).resolves.toBeUndefined();
  });

  test('a confirmation waits for those under way, which may leave images for it or not', async () => {
    const budget = new Budget(everything, 2);
    await budget.reserveImages(2);
    const outcomes: string[] = [];
    const small = budget.reserveImages(1).then(() => outcomes.push('small'));
    const large = budget.reserveImages(2).then(
      () => outcomes.push('large'),
      () => outcomes.push('large refused'),
    );
    await Promise.resolve();
    expect(outcomes).toEqual([]);
    budget.settleImages(2, 1);
    await Promise.all([small, large]);
    expect(outcomes.sort()).toEqual(['large refused', 'small']);
  });

  test('more than is allowed in all is refused at once', async () => {
    await expect(new Budget(everything, 2).reserveImages(3)).rejects.toThrow(NotTested);
  });

  test('a dispatch that nobody asked for stops proposals and confirmations, and whoever waits for one', async () => {
    const budget = new Budget([...everything, 'writes'], 2);
    await budget.reserveImages(2);
    const waiting = budget.reserveImages(1);
    budget.stopAfterSurprise(1);
    budget.settleImages(2, 0);
    await expect(waiting).rejects.toThrow('stopped: a call that should not have spent dispatched images');
    expect([budget.allows('proposals'), budget.allows('spending'), budget.allows('writes')]).toEqual([
      false,
      false,
      true,
    ]);
    expect(() => budget.require('proposals')).toThrow('stopped');
  });
});
