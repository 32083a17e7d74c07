import { expect, test } from 'vitest';
import { answered, type Said } from '../../test/history.ts';
import { BalanceWatch } from './balance-watch.ts';

const confirmed = { args: { confirmation_id: 'cnf_0' }, body: { ok: true, status: 'dispatched', run_id: 'run_0' } };
const requests = {
  nothing: [],
  proposals: [{ tool: 'images.generate', body: { ok: true, status: 'confirmation_required' } }],
  confirmations: [{ tool: 'images.generate', ...confirmed }],
} satisfies Record<string, Partial<Said>[]>;

/**
 * Returns why a watch stops for these balances. Before each reading, a request is sent. After a quiet time, each
 * balance is read again.
 */
function stopsFor(balances: readonly number[], sent: keyof typeof requests, quietSeconds: number, credits?: number) {
  const stops: string[] = [];
  const onStop = (seen: string) => stops.push(seen);
  const watch = new BalanceWatch(credits, () => 0, onStop);
  let [at, number] = [0, 0];
  const send = (said: Partial<Said>, seconds: number) => {
    at += seconds;
    number += 1;
    watch.see(answered({ at, took: 0.1, ...said }, number));
  };
  for (const balance of balances) {
    const reading = { tool: 'credits.balance', body: { ok: true, balance } };
    for (const request of requests[sent]) send(request, 1);
    send(reading, 1);
    send(reading, quietSeconds);
  }
  const atOnce = stops.length;
  watch.beforePresenting(2);
  return { stops, atOnce };
}

const fall = 'the balance fell from 80 to 70 while nothing was confirmed';

test.each([
  ['two falls', [100, 90, 80], 'proposals', 9, [], 0],
  ['falls that are not in a row', [100, 90, 80, 80, 70], 'proposals', 9, [], 0],
  ['three falls in a row', [100, 90, 80, 70], 'proposals', 9, [fall, fall], 1],
  ['falls without a quiet time afterwards', [100, 90, 80, 70], 'proposals', 1, [fall], 0],
  ['falls with confirmations', [100, 90, 80, 70, 60], 'confirmations', 9, [], 0],
  ['falls while nothing was sent', [100, 90, 80, 70, 60], 'nothing', 9, [], 0],
] as const)('%s', (_, balances, sent, quietSeconds, stops, atOnce) => {
  expect(stopsFor(balances, sent, quietSeconds)).toEqual({ stops, atOnce });
});

test('a confirmation that could exceed maxCredits stops spending, once', () => {
  const stop = (credits: number) => stopsFor([100, 94], 'confirmations', 9, credits).stops;
  expect(stop(18)).toEqual([]);
  const next = 'a confirmation of 2 at 6 each would exceed maxCredits';
  expect(stop(17)).toEqual([`the balance fell by 6, and ${next}, which is 17`]);
});
