import { expect, test } from 'vitest';
import { answered } from '../../test/exchanges.ts';
import { skippingTimer } from '../../test/skipping-timer.ts';
import { defaultPace } from '../target.ts';
import { Gate } from './gate.ts';
import { heedOutage } from './outage.ts';
import { Patience } from './patience.ts';
import { RunTime } from './run-time.ts';

/** Returns how many requests the gate admits at once after responses with these statuses. */
async function letOutAfter(...statuses: readonly number[]): Promise<number> {
  const timer = skippingTimer(() => undefined);
  const gate = new Gate(16, undefined, timer);
  const time = new RunTime(timer, undefined, new AbortController().signal, () => undefined);
  for (const status of statuses) {
    const exchange = answered({});
    heedOutage({ ...exchange, response: { ...exchange.response, status } }, gate, new Patience(), time, defaultPace);
  }
  let out = 0;
  for (let call = 0; call < 10; call += 1) void gate.enter(null).then(() => (out += 1));
  await new Promise((resolve) => setTimeout(resolve, 50));
  return out;
}

test('an ordinary 500 during an outage does not show that the outage is over', async () => {
  expect(await letOutAfter(503, 500)).toBe(1);
});

test.each([200, 404, 429])('a %i shows that the outage is over', async (status) => {
  expect(await letOutAfter(503, status)).toBe(10);
});

test('an ordinary 500 holds nothing back by itself', async () => {
  expect(await letOutAfter(500)).toBe(10);
});
