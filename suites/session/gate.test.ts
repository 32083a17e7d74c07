import { describe, expect, test } from 'vitest';
import { Gate } from './gate.ts';
import type { Timer } from './run-time.ts';

/** Timer that advances only on `move`. */
function standing() {
  let now = 1000;
  const planned = new Map<object, { at: number; action: () => void }>();
  const timer: Timer = {
    now: () => now,
    after(ms, action) {
      const ticket = {};
      planned.set(ticket, { at: now + ms, action });
      return () => planned.delete(ticket);
    },
  };
  return {
    timer,
    planned: () => planned.size,
    /** Advances the time and runs the timers that are due, in their order. */
    async move(ms: number): Promise<void> {
      const end = now + ms;
      for (;;) {
        const [next] = [...planned].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at);
        if (next === undefined) break;
        const [ticket, { at, action }] = next;
        planned.delete(ticket);
        now = Math.max(now, at);
        action();
        await settled();
      }
      now = end;
    },
  };
}

/** Waits until all pending promises have settled. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Returns a gate, and the names of the requests that it has admitted. */
function gateOf(concurrency: number, requestsPerMinute?: number) {
  const time = standing();
  const gate = new Gate(concurrency, requestsPerMinute, time.timer);
  const out: string[] = [];
  const call = (lane: string, name: string = lane, rank = 0, alone = false) => {
    gate.enter(lane, rank, alone ? 'alone' : 'none').then(() => out.push(name));
    return settled();
  };
  return { gate, time, out, call };
}

describe('concurrency', () => {
  test('no more are let out at once, and whoever leaves makes room for the next', async () => {
    const { gate, out, call } = gateOf(2);
    for (const name of ['a', 'b', 'c', 'd']) await call('key', name);
    expect(out).toEqual(['a', 'b']);
    gate.leave('key');
    await settled();
    expect(out).toEqual(['a', 'b', 'c']);
  });

  test('lower ranks go first, and within one rank whoever came first', async () => {
    const { gate, out, call } = gateOf(1);
    await call('key', 'first');
    await call('key', 'late', 1);
    await call('key', 'a', 0);
    await call('key', 'b', 0);
    await call('key', 'again', -1);
    for (let times = 0; times < 4; times += 1) {
      gate.leave('key');
      await settled();
    }
    expect(out).toEqual(['first', 'again', 'a', 'b', 'late']);
  });

  test('a request without room in the budget waits until another leaves, and no smaller one overtakes it', async () => {
    const { gate, out, call } = gateOf(4);
    const budget = { free: 0 };
    const enter = (name: string, needed: number) => {
      const admit = () => {
        if (needed > 9) throw new Error('too much');
        return budget.free >= needed;
      };
      return gate.enter(name, 0, 'none', admit).then(() => out.push(name));
    };
    await call('first');
    void enter('large', 2);
    void enter('small', 0);
    await call('reads');
    expect(out).toEqual(['first', 'reads']);
    budget.free = 2;
    gate.leave('first');
    await settled();
    expect(out).toEqual(['first', 'reads', 'large', 'small']);
    gate.leave('reads');
    await expect(enter('never', 10)).rejects.toThrow('too much');
  });

  test('a request that goes alone waits for those in flight, and holds back later ones of its lane', async () => {
    const { gate, out, call } = gateOf(4);
    await call('key', 'before');
    await call('key', 'alone', -1, true);
    await call('key', 'after');
    await call('other');
    expect(out).toEqual(['before', 'other']);
    gate.leave('key');
    await settled();
    expect(out).toEqual(['before', 'other', 'alone']);
    gate.leave('key');
    await settled();
    expect(out).toEqual(['before', 'other', 'alone', 'after']);
  });
});

describe('a rate', () => {
  test('spaces the calls of one key, and of one key only', async () => {
    const { gate, time, out, call } = gateOf(8, 60);
    for (const name of ['a1', 'a2', 'a3']) await call('a', name);
    await call('b', 'b1');
    expect(out).toEqual(['a1', 'b1']);
    await time.move(999);
    expect(out).toHaveLength(2);
    await time.move(1);
    expect(out).toEqual(['a1', 'b1', 'a2']);
    await time.move(1000);
    expect(out).toEqual(['a1', 'b1', 'a2', 'a3']);
    for (const lane of ['a', 'a', 'a', 'b']) gate.leave(lane);
  });

  test('is not heeded by calls without a lane', async () => {
    const { gate, out } = gateOf(8, 1);
    for (const name of ['a', 'b', 'c']) gate.enter(null).then(() => out.push(name));
    await settled();
    expect(out).toEqual(['a', 'b', 'c']);
  });
});

describe('a key that was refused', () => {
  test('waits as long as it was told, to the millisecond, and holds up nobody else', async () => {
    const { gate, time, out, call } = gateOf(8);
    await call('a', 'refused');
    gate.leave('a', 3);
    await call('a', 'repeated', -1);
    await call('b');
    expect(out).toEqual(['refused', 'b']);
    await time.move(2999);
    expect(out).toHaveLength(2);
    await time.move(1);
    expect(out).toEqual(['refused', 'b', 'repeated']);
  });

  test('keeps to the later of two ends', async () => {
    const { gate, time, out, call } = gateOf(8);
    await call('a', 'one');
    await call('a', 'two');
    gate.leave('a', 5);
    gate.leave('a', 2);
    await call('a', 'three');
    await time.move(4999);
    expect(out).not.toContain('three');
    await time.move(1);
    expect(out).toContain('three');
  });

  test('need not wait once the clock of the deployment was moved', async () => {
    const { gate, time, out, call } = gateOf(8);
    await call('a', 'refused');
    gate.leave('a', 60);
    await call('a', 'repeated');
    gate.forgetPauses();
    await settled();
    expect(out).toEqual(['refused', 'repeated']);
    expect(time.planned()).toBe(0);
  });
});

/** `admit` returns 0 if the server serves a request, otherwise the seconds to wait. */
interface Limit {
  admit(): number;
  end(): void;
}

describe('a limit', () => {
  const most = (limit: number): Limit => {
    let inFlight = 0;
    const admit = () => {
      if (inFlight >= limit) return 1;
      inFlight += 1;
      return 0;
    };
    const end = () => {
      inFlight -= 1;
    };
    return { admit, end };
  };
  const inWindow = (calls: number, windowMs: number, now: () => number): Limit => {
    let served: number[] = [];
    const admit = () => {
      served = served.filter((at) => at > now() - windowMs);
      if (served.length >= calls) return Math.ceil(((served[0] ?? now()) + windowMs - now()) / 1000);
      served.push(now());
      return 0;
    };
    return { admit, end: () => undefined };
  };

  /** Sends requests of one key, each of which takes 10 ms. Returns the time, and how many got a 429. */
  async function send(calls: number, limitOf: (now: () => number) => Limit, alone = false) {
    const { gate, time } = gateOf(16);
    const { admit, end } = limitOf(time.timer.now);
    const startedAt = time.timer.now();
    let [served, refused] = [0, 0];
    const one = async () => {
      for (let rank = 0; ; rank = -1) {
        await gate.enter('key', rank, alone ? 'alone' : 'none');
        const seconds = admit();
        await new Promise<void>((resolve) => void time.timer.after(10, resolve));
        gate.leave('key', seconds === 0 ? undefined : seconds);
        if (seconds === 0) break;
        refused += 1;
      }
      end();
      served += 1;
    };
    for (let count = 0; count < calls; count += 1) void one();
    await settled();
    while (served < calls) await time.move(10);
    return { ms: time.timer.now() - startedAt, refused };
  }

  test('on the requests in flight is met a few times, and then no more', async () => {
    const { ms, refused } = await send(400, () => most(4));
    expect(refused).toBeLessThanOrEqual(16 + 8);
    expect(ms).toBeLessThan(4000);
  });

  test('on the rate costs no more time than it must, and few refusals', async () => {
    const { ms, refused } = await send(600, (now) => inWindow(60, 2000, now));
    expect(ms).toBeLessThan(9 * 2000 * 1.1 + 500);
    expect(refused).toBeLessThan(600 / 7);
  });

  test('on the rate refuses no more requests that go alone, once it has been met', async () => {
    expect((await send(300, (now) => inWindow(60, 2000, now), true)).refused).toBe(1);
  });

  test('that never refuses holds nothing back', async () => {
    expect(await send(320, () => most(400))).toEqual({ ms: 200, refused: 0 });
  });
});

test('an open gate holds back nobody, and nothing is left to wait for', async () => {
  const { gate, time, out, call } = gateOf(2, 1);
  for (const name of ['a', 'b', 'c', 'd']) await call('key', name);
  expect(out).toEqual(['a']);
  gate.open();
  await settled();
  expect(out).toEqual(['a', 'b']);
  gate.leave('key');
  gate.leave('key', 60);
  await settled();
  expect(out).toEqual(['a', 'b', 'c', 'd']);
  expect(time.planned()).toBe(0);
});
