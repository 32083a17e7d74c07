import { expect, test } from 'vitest';
import { toolNames } from '../../../fixtures/contract/tools.ts';
import { clientOf } from '../../../test/stub/client.ts';
import { standingClock } from '../../../test/stub/standing-clock.ts';
import { createCore } from '../../core.ts';

const limited = () => {
  const stub = createCore({ clock: standingClock });
  return { stub, call: clientOf(stub) };
};

test('the cap spans the tools, and the 429 says twice how long to wait', () => {
  const { stub, call } = limited();
  for (let calls = 0; calls < 30; calls++) {
    const tool = toolNames[calls % toolNames.length] ?? 'credits.balance';
    expect(call(tool, {}, { role: 'throttled' }).status).toBe(200);
    stub.advance(0.5);
  }
  const { status, headers, body } = call('credits.balance', {}, { role: 'throttled' });
  expect(status).toBe(429);
  expect(headers).toMatchObject({ 'x-service-api': 'beta', 'retry-after': '45' });
  expect(body).toEqual({
    error: { code: 'tenant_mcp.rate_limited', message: expect.any(String), retry_after_seconds: 45 },
  });
  expect(call('credits.balance', {}, { role: 'primary' }).status).toBe(200);
});

test('after the wait, and not a second before, the key is served its whole cap again', () => {
  const { stub, call } = limited();
  const status = () => call('credits.balance', {}, { role: 'throttled' }).status;
  while (status() === 200);
  const wait = Number(call('credits.balance', {}, { role: 'throttled' }).headers['retry-after']);
  stub.advance(wait - 1);
  expect(status()).toBe(429);
  stub.advance(1);
  for (let calls = 0; calls < 30; calls++) expect(status()).toBe(200);
  expect(status()).toBe(429);
});

test('other keys have 600, or what was asked for', () => {
  const served = (rateLimit?: number) => {
    const call = clientOf(createCore({ clock: standingClock, ...(rateLimit === undefined ? {} : { rateLimit }) }));
    return (role: 'primary' | 'throttled') => {
      let calls = 0;
      while (call('credits.balance', {}, { role }).status === 200) calls += 1;
      return calls;
    };
  };
  expect(served()('primary')).toBe(600);
  const capped = served(5);
  expect([capped('primary'), capped('throttled')]).toEqual([5, 5]);
  expect(served(1000)('throttled')).toBe(30);
});

test('neither a bad key nor a closed one is counted against anybody', () => {
  const { call } = limited();
  for (let calls = 0; calls < 700; calls++) {
    expect(call('credits.balance', {}, { role: 'revoked' }).status).toBe(401);
    expect(call('credits.balance', {}, { role: 'withoutAccess' }).status).toBe(403);
  }
});
