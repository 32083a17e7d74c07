import { describe, expect, test } from 'vitest';
import type { Exchange } from '../exchange/exchange.ts';
import { MovedLimits } from './moved-limits.ts';

/** Exchange with the only member that matters here: how far the clock had been advanced before the request. */
const sentAt = (clockMoved: number): Exchange => ({ clockMoved }) as Exchange;

function limits() {
  const moved: number[] = [];
  const time = { movedMs: 0, elapsedMs: () => 0 };
  const advance = async (seconds: number) => {
    moved.push(seconds);
    time.movedMs += seconds * 1000;
  };
  return { moved, limits: new MovedLimits(time, advance) };
}

describe('limits that follow the clock', () => {
  test('the clock is moved as far as a 429 says, once for all that met it together', async () => {
    const { moved, limits: it } = limits();
    expect(await Promise.all([it.pass('a', sentAt(0), 30), it.pass('a', sentAt(0), 30)])).toEqual([true, true]);
    expect(await it.pass('a', sentAt(0), 30)).toBe(true);
    expect(moved).toEqual([30]);
  });

  test('moved twice in vain, the limit goes by real time', async () => {
    const { moved, limits: it } = limits();
    expect(await it.pass('a', sentAt(0), 10)).toBe(true);
    expect(await it.pass('a', sentAt(10_000), 10)).toBe(true);
    expect(await it.pass('a', sentAt(20_000), 10)).toBe(false);
    expect(await it.pass('b', sentAt(20_000), 10)).toBe(true);
    expect(moved).toEqual([10, 10, 10]);
  });

  test('no room is made where the clock was moved as far for another reason', async () => {
    const { moved, limits: it } = limits();
    for (let count = 0; count < 10; count += 1) it.served('a');
    await it.pass('a', sentAt(0), 10);
    for (let count = 0; count < 8; count += 1) it.served('a');
    it.moved(1200);
    await it.makeRoom('a');
    expect(moved).toEqual([10]);
  });

  test('served after it was moved, the limit follows, and room is made before it is met again', async () => {
    const { moved, limits: it } = limits();
    for (let count = 0; count < 10; count += 1) it.served('a');
    await it.pass('a', sentAt(0), 10);
    it.served('a');
    expect(it.followed).toBe(true);
    await it.makeRoom('a');
    expect(moved).toEqual([10]);
    for (let count = 0; count < 5; count += 1) it.served('a');
    await it.makeRoom('a');
    expect(moved).toEqual([10, 10]);
  });

  test('if a short wait brings one request, the limit refills gradually, and the clock is advanced', async () => {
    let elapsedMs = 0;
    const moved: number[] = [];
    const time = { movedMs: 0, elapsedMs: () => elapsedMs };
    const it = new MovedLimits(time, async (seconds) => {
      moved.push(seconds);
      time.movedMs += seconds * 1000;
    });
    const sent = () => ({ clockMoved: time.movedMs, sentAt: elapsedMs }) as Exchange;
    const burst = [sent(), sent()];
    for (const exchange of burst) expect(await it.pass('a', exchange, 1), 'waits in real time').toBe(false);
    elapsedMs = 1000;
    it.served('a');
    expect(await it.pass('a', sent(), 1)).toBe(true);
    for (let count = 0; count < 3; count += 1) it.served('a');
    expect(it.followed, 'real time may have passed').toBe(false);
    it.served('a');
    expect(it.followed).toBe(true);
    expect(await it.pass('a', sent(), 1)).toBe(true);
    expect(moved).toEqual([60, 60]);
  });

  test('if a short wait brings a whole window, the limit goes by real time', async () => {
    const { moved, limits: it } = limits();
    const sent = (at: number) => ({ clockMoved: 0, sentAt: at }) as Exchange;
    expect(await it.pass('a', sent(0), 1)).toBe(false);
    for (let count = 0; count < 10; count += 1) it.served('a');
    expect(await it.pass('a', sent(1500), 1)).toBe(false);
    expect(moved).toEqual([]);
  });

  test('without a clock nothing is moved', async () => {
    expect(await new MovedLimits({ movedMs: 0, elapsedMs: () => 0 }, undefined).pass('a', sentAt(0), 1)).toBe(false);
  });
});
