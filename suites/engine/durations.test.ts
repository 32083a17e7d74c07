import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { inProcess } from '../../test/stub-target.ts';
import { audit } from './audit.ts';
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

test('a run tells the duration of each requirement that its stories tested', async () => {
  await using stub = createStub();
  const { requirements } = await audit(inProcess(stub), { seed: 1, only: ['schedule'], observe: false });
  const tested = requirements.filter(({ status, topic }) => status === 'passed' && topic === 'schedule');
  expect(tested.length).toBeGreaterThan(5);
  for (const { id, durationMs } of tested) expect(durationMs, id).toBeGreaterThan(0);
});
