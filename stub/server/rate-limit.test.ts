import { expect, test } from 'vitest';
import { clientOf } from '../../test/stub/client.ts';
import { standingClock } from '../../test/stub/standing-clock.ts';
import { createStub } from '../index.ts';

test('other keys have 600, or what was asked for', () => {
  const served = (rateLimit?: number) => {
    const call = clientOf(createStub({ clock: standingClock, ...(rateLimit === undefined ? {} : { rateLimit }) }));
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
  const call = clientOf(createStub({ clock: standingClock }));
  for (let calls = 0; calls < 700; calls++) {
    expect(call('credits.balance', {}, { role: 'revoked' }).status).toBe(401);
    expect(call('credits.balance', {}, { role: 'withoutAccess' }).status).toBe(403);
  }
});
