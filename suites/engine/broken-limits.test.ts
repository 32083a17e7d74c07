import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import type { StubRequest, StubResponse } from '../../stub/server/handle.ts';
import { createDispatcher } from '../../stub/transports/dispatcher.ts';
import { skippingTimer } from '../testing/skipping-timer.ts';
import { inProcess } from '../testing/stub-target.ts';
import { audit } from './audit.ts';

/** How long a run takes, in seconds, if the key `throttled` is refused for good after its first requests. */
async function secondsAt(refused: StubResponse): Promise<number> {
  const stub = createStub({ seed: 1, rateLimit: 5000 });
  let served = 0;
  const isThrottled = ({ headers }: StubRequest) => headers.authorization === `Bearer ${stub.keys.throttled}`;
  const dispatcher = createDispatcher((request) => {
    if (!isThrottled(request)) return stub.handle(request);
    served += 1;
    return served <= 25 ? stub.handle(request) : refused;
  });
  const { clock: _, ...target } = inProcess(stub, { dispatcher, allow: ['throttling'] });
  const timer = skippingTimer(() => undefined);
  const { durationMs } = await audit(target, { seed: 1, observe: false, timer });
  return durationMs / 1000;
}

const error = (code: string) => JSON.stringify({ error: { code, message: 'Wait.', retry_after_seconds: 30 } });
const headers = { 'content-type': 'application/json', 'x-service-api': 'beta', 'retry-after': '30' };

test('a limit that never reopens costs a run at most 90 s', { timeout: 60_000 }, async () => {
  expect(await secondsAt({ status: 429, headers, body: error('tenant_mcp.rate_limited') })).toBeLessThan(95);
});

test('a limit that responds with 503 instead of 429 costs a run at most 90 s', { timeout: 60_000 }, async () => {
  expect(await secondsAt({ status: 503, headers, body: error('tenant_mcp.unavailable') })).toBeLessThan(95);
});
