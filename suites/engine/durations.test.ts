import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { inProcess } from '../../test/stub-target.ts';
import { stories } from '../topics/index.ts';
import { audit } from './audit.ts';
import { durationsOf } from './compile.ts';

const sent = (step: string, durationMs: number) => ({
  durationMs,
  request: {
    method: 'POST',
    url: '',
    tool: null,
    headers: [],
    configured: [],
    body: null,
    args: null,
    odd: false,
    step,
  },
});

test('a requirement takes as long as the requests of all stories that test it', () => {
  const durations = durationsOf(
    [
      sent('used id: propose', 1.25),
      sent('used id: confirm: again', 2),
      sent('balances: read', 4),
      sent('preflight: propose', 8),
    ],
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

test('no name of a story holds what separates it from its step', () => {
  for (const { name } of stories) expect(name).not.toContain(': ');
});
