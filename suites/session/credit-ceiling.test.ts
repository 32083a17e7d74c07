import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { changing, fields, result as resultOf } from '../../stub/variants/changes/responses.ts';
import { inProcess } from '../../test/stub-target.ts';
import { audit } from '../engine/audit.ts';

/** A run that may confirm images, and the credits that it spent. */
async function run(maxCredits: number | undefined) {
  const stub = createStub({ rateLimit: 5000 });
  const balance = async () => {
    const response = await stub.fetch(`${stub.baseUrl}/api/v1/tools/credits.balance`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stub.keys.primary}` },
    });
    const { balance } = (await response.json()) as { balance: number }; // the stub conforms
    return balance;
  };
  const before = await balance();
  const only = ['confirmations', 'credits', 'image-proposals'];
  const result = await audit(inProcess(stub, maxCredits === undefined ? {} : { maxCredits }), { only, seed: 1 });
  return { result, spent: before - (await balance()) };
}

test('a run stops before a further confirmation would exceed maxCredits', async () => {
  // An image costs 4 credits at the stub.
  for (const [maxCredits, most] of [
    [6, 4],
    [20, 20],
    [21, 20],
  ] as const) {
    const { result, spent } = await run(maxCredits);
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBeLessThanOrEqual(most);
    expect(result.verdict).toBe('inconclusive');
    expect(result.trouble.join()).toMatch(/^stopped confirming images: .*, which is \d+$/);
    expect(result.trouble.join()).toContain(`maxCredits, which is ${maxCredits}`);
    const stopped = result.requirements.filter(({ reason }) => reason?.includes('maxCredits'));
    expect(stopped.length).toBeGreaterThan(0);
    for (const { missing } of stopped) expect(missing).toContainEqual({ kind: 'setting', setting: 'maxCredits' });
  }
});

test('with enough credits, the result is that of a run without the ceiling', async () => {
  const [free, limited] = [await run(undefined), await run(1000)];
  expect(limited.result.trouble).toEqual([]);
  expect(limited.result.requirements.map(({ status }) => status)).toEqual(
    free.result.requirements.map(({ status }) => status),
  );
});

test('without a balance, the run confirms nothing', async () => {
  const stub = createStub({ deviation: changing(resultOf('credits.balance'), fields({ balance: undefined })) });
  const { requirements, summary } = await audit(inProcess(stub, { maxCredits: 20 }), {
    only: ['confirmations'],
    seed: 1,
  });
  expect(summary.imagesRequested).toBe(0);
  const reasons = requirements.map(({ reason }) => reason);
  expect(reasons).toContain('maxCredits needs a balance, and the response has none');
});
