import { describe, expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import type { StubResponse } from '../../stub/server/handle.ts';
import { createDispatcher } from '../../stub/transports/dispatcher.ts';
import { idsWith } from '../../test/output.ts';
import { skippingTimer } from '../../test/skipping-timer.ts';
import { inProcess } from '../../test/stub-target.ts';
import { serviceRefusals } from '../topics/declared/row-witnesses.ts';
import { audit } from './audit.ts';

const unavailable: StubResponse = {
  status: 503,
  headers: { 'content-type': 'text/html', 'retry-after': '1' },
  body: '<h1>Service Unavailable</h1>',
};

/** Runs the kit behind a gateway that returns 503 for `seconds` of real time, starting at request `first`. */
async function runBehind({ first, seconds }: { first: number; seconds: number }) {
  const stub = createStub({ rateLimit: 5000 });
  let now = 0;
  let requests = 0;
  let refused = 0;
  let downUntil: number | undefined;
  const dispatcher = createDispatcher((request) => {
    requests += 1;
    if (requests === first) downUntil = now + seconds;
    if (downUntil === undefined || now >= downUntil) return stub.handle(request);
    refused += 1;
    return unavailable;
  });
  const timer = skippingTimer((skipped) => (now += skipped));
  const result = await audit(inProcess(stub, { dispatcher }), { seed: 1, observe: false, timer });
  return { requests, refused, result };
}

describe('a gateway that answers 503 with Retry-After for two seconds', () => {
  test.each([1, 40, 300, 500])('from request %i on is waited for, and is one finding', async (first) => {
    const { refused, result } = await runBehind({ first, seconds: 2 });
    expect(refused).toBeGreaterThan(0);
    // Concurrent requests and a few retries.
    expect(refused).toBeLessThan(25);
    expect(idsWith(result, 'failed')).toEqual(['envelopes.no-server-error']);
    expect(idsWith(result, 'errored')).toEqual([]);
    // A confirmation that the outage hit counts as spent, so a later story may lack images.
    const untested = idsWith(result, 'not-tested').filter((id) => !serviceRefusals.has(id));
    expect(untested.length).toBeLessThanOrEqual(3);
  });
});

test('a gateway that answers 503 for good is given up after a few requests', async () => {
  const { requests, result } = await runBehind({ first: 100, seconds: 1e6 });
  expect(requests).toBeLessThan(140);
  expect(idsWith(result, 'failed')).toEqual(['envelopes.no-server-error']);
  const reasons = result.requirements.filter(({ status }) => status === 'errored').map(({ reason }) => reason);
  expect(reasons.length).toBeGreaterThan(20);
  for (const reason of reasons) expect(reason).toContain('still 503 after 5 waits in a row');
});
