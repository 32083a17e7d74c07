import { expect, test } from 'vitest';
import { durationsOf } from './compile.ts';

const sent = (story: string, receivedAt: number) => ({ story, sentAt: 0, receivedAt });

test('a requirement takes as long as the requests of all stories that test it', () => {
  const durations = durationsOf(
    [sent('used id', 1.25), sent('used id', 2), sent('balances', 4), sent('preflight', 8)],
    [
      { name: 'used id', witnesses: ['confirmations.used-invalid', 'confirmations.run-id'] },
      { name: 'balances', witnesses: ['confirmations.run-id'] },
      { name: 'idle', witnesses: ['credits.balance'] },
    ],
  );
  expect(Object.fromEntries(durations)).toEqual({
    'confirmations.used-invalid': 3.3,
    'confirmations.run-id': 7.3,
    'credits.balance': 0,
  });
});
