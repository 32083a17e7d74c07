import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import type { Call, Deviation } from '../../stub/server/behavior.ts';
import { rateLimited } from '../../stub/server/responses.ts';
import { RateWindows } from '../../stub/server/state/rate-windows.ts';
import { around } from '../../stub/variants/changes/steps.ts';
import { skippingTimer } from '../../test/skipping-timer.ts';
import { inProcess } from '../../test/stub-target.ts';
import { audit } from './audit.ts';

/** Adds a limit per bucket and minute to the limit of the key. */
const alsoLimited = (bucket: (call: Call) => string, limit: number): Deviation => {
  const windows = new RateWindows();
  return around('rateLimit', (step) => (call) => {
    const wait = windows.take(bucket(call), limit, 60, call.state.clock.now());
    return wait > 0 ? rateLimited('tenant_mcp.rate_limited', wait) : step(call);
  });
};

/**
 * Adds rate limits of a gateway. Waits advance the clock of the gateway; the kit advances only the clock of the stub.
 */
function behindGateway(limit: number): { deviation: Deviation; skip: (seconds: number) => void } {
  const windows = new RateWindows();
  let now = 0;
  const deviation = around('rateLimit', () => (call) => {
    const wait = windows.take(call.key?.role ?? '', call.key?.role === 'throttled' ? limit : 10_000, 60, now);
    return wait > 0 ? rateLimited('tenant_mcp.rate_limited', wait) : undefined;
  });
  return { deviation, skip: (seconds) => (now += seconds * 1000) };
}

/** Returns the status of each requirement in the selected topics that does not pass. */
async function endingsOf(deviation: Deviation, skip: (seconds: number) => void = () => undefined) {
  const stub = createStub({ seed: 1, deviation });
  const only = ['rate-limit', 'schedule'];
  const options = { seed: 1, observe: false, only, timer: skippingTimer(skip) };
  const { requirements } = await audit(inProcess(stub, { shape: stub.shape }), options);
  const looked = requirements.filter(({ topic }) => only.includes(topic));
  return Object.fromEntries(looked.flatMap(({ id, status }) => (status === 'passed' ? [] : [[id, status]])));
}

test('a limit of the account that is lower than that of its keys is legal, and says nothing of the keys', async () => {
  const ofAccount = alsoLimited((call) => call.key?.account ?? '', 25);
  expect(await endingsOf(ofAccount)).toEqual({ 'rate-limit.per-key': 'not-tested' });
});

test('a limit that does not go by the clock that is moved is waited out in real time', async () => {
  const { deviation, skip } = behindGateway(20);
  expect(await endingsOf(deviation, skip)).toEqual({});
});

test('where it is over neither by the clock nor in real time, that is a failure', async () => {
  const { deviation } = behindGateway(20);
  expect(await endingsOf(deviation)).toEqual({ 'rate-limit.served-after-waiting': 'failed' });
});

test('a limit that somebody else has used up is waited out before it says anything of the tools', async () => {
  const stub = createStub({ seed: 1 });
  const target = inProcess(stub);
  const url = `${target.baseUrl}/api/v1/tools/credits.balance`;
  const use = () => stub.fetch(url, { method: 'POST', headers: { authorization: `Bearer ${stub.keys.throttled}` } });
  while ((await use()).status !== 429);
  const { requirements } = await audit(target, { seed: 1, observe: false, only: ['rate-limit.spans-tools'] });
  expect(requirements.find(({ id }) => id === 'rate-limit.spans-tools')?.status).toBe('passed');
});
