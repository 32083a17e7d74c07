import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { changing, fields, result as resultOf } from '../../stub/variants/changes/responses.ts';
import { inProcess } from '../../test/stub-target.ts';
import { audit } from '../engine/audit.ts';

const missing = { kind: 'setting', setting: 'maxCredits' };

// An image costs 4 credits at the stub.
test.each([
  [6, 1],
  [21, 5],
  [1000, 16],
])('a run with maxCredits %i confirms at most %i images', async (maxCredits, most) => {
  const target = inProcess(createStub({ rateLimit: 5000 }), { maxCredits });
  const only = ['confirmations', 'credits', 'image-proposals'];
  const { summary, trouble, requirements } = await audit(target, { only, seed: 1 });
  expect(summary.imagesConfirmed).toBeGreaterThan(0);
  expect(summary.imagesConfirmed).toBeLessThanOrEqual(most);
  const stopped = requirements.filter(({ reason }) => reason?.includes('maxCredits'));
  if (maxCredits === 1000) {
    expect([trouble, stopped]).toEqual([[], []]);
    expect(requirements.find(({ id }) => id === 'confirmations.charges-add-up')?.status).toBe('passed');
    return;
  }
  expect(trouble.join()).toMatch(new RegExp(`^stopped confirming images: .* maxCredits, which is ${maxCredits}$`));
  expect(stopped.length).toBeGreaterThan(0);
  for (const each of stopped) expect(each.missing).toContainEqual(missing);
});

test('without a balance, the run confirms nothing', async () => {
  const stub = createStub({ deviation: changing(resultOf('credits.balance'), fields({ balance: undefined })) });
  const target = inProcess(stub, { maxCredits: 20 });
  const { requirements, summary } = await audit(target, { only: ['confirmations'], seed: 1 });
  expect(summary.imagesRequested).toBe(0);
  const reasons = requirements.map(({ reason }) => reason);
  expect(reasons).toContain('maxCredits needs a balance, and the response has none');
});
