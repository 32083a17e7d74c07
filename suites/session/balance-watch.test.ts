import { expect, test } from 'vitest';
import type { Completed } from '../exchange/exchange.ts';
import { BalanceWatch } from './balance-watch.ts';

// Only the members that the watch reads.
const reading = (balance: number, atMs: number) =>
  ({
    receivedAt: atMs + 1,
    request: { tool: 'credits.balance' },
    sender: { role: 'primary' },
    response: { status: 200, json: { ok: true, balance } },
  }) as unknown as Completed;

/**
 * Returns the falls that a watch reports for these balances. Before each reading, a free request or a confirmation is
 * sent. After free requests, each balance is read again after a quiet time.
 */
function watched(balances: readonly number[], kind: 'free' | 'confirmations' | 'nothing', quietMs = 300): string[] {
  const falls: string[] = [];
  const watch = new BalanceWatch((seen) => falls.push(seen));
  let atMs = 0;
  for (const balance of balances) {
    if (kind !== 'nothing') {
      watch.begun(kind);
      watch.ended(kind);
    }
    atMs += 100;
    watch.seen(reading(balance, atMs), watch.moment);
    atMs += quietMs;
    if (kind === 'free') watch.seen(reading(balance, atMs), watch.moment);
  }
  return falls;
}

test('three falls in a row without a confirmation stop the spending, and fewer do not', () => {
  expect(watched([100, 90, 80], 'free')).toEqual([]);
  expect(watched([100, 90, 80, 80, 70], 'free')).toEqual([]);
  expect(watched([100, 90, 80, 70], 'free')).toEqual(['the balance fell from 80 to 70 while nothing was confirmed']);
});

test('falls stop nothing at once if the balance was not read for long enough afterwards', () => {
  expect(watched([100, 90, 80, 70], 'free', 200)).toEqual([]);
});

test('falls with a confirmation stop nothing, and neither do falls while nothing was sent that could spend', () => {
  expect(watched([100, 90, 80, 70, 60], 'confirmations')).toEqual([]);
  expect(watched([100, 90, 80, 70, 60], 'nothing')).toEqual([]);
});
