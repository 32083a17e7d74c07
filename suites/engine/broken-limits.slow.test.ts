import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import type { StubRequest, StubResponse } from '../../stub/server/handle.ts';
import { createDispatcher } from '../../stub/transports/dispatcher.ts';
import { skippingTimer } from '../../test/skipping-timer.ts';
import { inProcess } from '../../test/stub-target.ts';
import { audit } from './audit.ts';

/** Runs the kit against a stub that refuses the key `throttled` permanently after its first 25 requests. */
async function runAt(refused: StubResponse, hasClock = false) {
  const stub = createStub({ seed: 1, rateLimit: 5000 });
  let served = 0;
  const isThrottled = ({ headers }: StubRequest) => headers.authorization === `Bearer ${stub.keys.throttled}`;
  const dispatcher = createDispatcher((request) => {
    if (!isThrottled(request)) return stub.handle(request);
    served += 1;
    return served <= 25 ? stub.handle(request) : refused;
  });
  const { clock, ...target } = inProcess(stub, { dispatcher, allow: ['throttling'] });
  const timer = skippingTimer(() => undefined);
  const tested = hasClock && clock !== undefined ? { ...target, clock } : target;
  return await audit(tested, { seed: 1, observe: false, timer });
}

const error = (code: string) => JSON.stringify({ error: { code, message: 'Wait.', retry_after_seconds: 30 } });
const headers = { 'content-type': 'application/json', 'x-service-api': 'beta', 'retry-after': '30' };

test.each([false, true])('a limit that never reopens costs a run at most 90 s: clock %s', async (hasClock) => {
  const refused = { status: 429, headers, body: error('tenant_mcp.rate_limited') };
  const { durationMs, requirements } = await runAt(refused, hasClock);
  expect(durationMs / 1000).toBeLessThan(95);
  const status = requirements.find(({ id }) => id === 'rate-limit.served-after-waiting')?.status;
  expect(status).toBe('failed');
});

test('a limit that responds with 503 instead of 429 costs a run at most 90 s', async () => {
  const { durationMs } = await runAt({ status: 503, headers, body: error('tenant_mcp.unavailable') });
  expect(durationMs / 1000).toBeLessThan(95);
});
