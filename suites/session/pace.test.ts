import { describe, expect, test } from 'vitest';
import { answered } from '../../test/history.ts';
import { Pace } from './pace.ts';

/** Returns a pace whose time advances only on `move`, the requests that it has admitted, and advances of the clock. */
function paced(concurrency: number, requestsPerMinute?: number) {
  let now = 0;
  const planned = new Map<object, { at: number; action: () => void }>();
  const time = {
    movedMs: 0,
    elapsedMs: () => now,
    after(ms: number, action: () => void) {
      const ticket = {};
      planned.set(ticket, { at: now + ms, action });
      return () => planned.delete(ticket);
    },
  };
  const advances: number[] = [];
  const advance = async (seconds: number) => {
    advances.push(seconds);
    time.movedMs += seconds * 1000;
    pace.advanced(seconds);
  };
  const settings = { concurrency, ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }) };
  const pace = new Pace(settings, time, advance);
  const out: string[] = [];
  return {
    pace,
    time,
    out,
    advances,
    planned: () => planned.size,
    call: async (lane: string, name = lane, rank = 0, careful = false) => {
      pace.enter({ lane, rank, alone: careful, room: careful }).then(() => out.push(name));
      await settled();
    },
    leave: async (lane: string) => {
      pace.leave(lane);
      await settled();
    },
    /** Ends a request with a 429. */
    refuse: async (lane: string, seconds: number) => {
      pace.refused(lane, { sentAt: now }, seconds);
      pace.leave(lane);
      await settled();
    },
    /** Exchange that is sent now, or when the clock had been advanced by so many seconds. */
    sent: (moved = time.movedMs / 1000) => answered({ at: now / 1000, moved }),
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

describe('in flight', () => {
  test('are at most as many as allowed: lower ranks first, and within a rank in order of arrival', async () => {
    const { out, call, leave } = paced(2);
    await call('key', 'one');
    await call('other', 'two');
    await call('key', 'late', 1);
    await call('key', 'a');
    await call('key', 'b');
    await call('key', 'again', -1);
    expect(out).toEqual(['one', 'two']);
    for (let times = 0; times < 4; times += 1) await leave('key');
    expect(out).toEqual(['one', 'two', 'again', 'a', 'b', 'late']);
  });

  test('a request without room in the budget waits until another leaves, and no smaller one overtakes it', async () => {
    const { pace, out, call, leave } = paced(4);
    const budget = { free: 0 };
    const enter = (name: string, needed: number) => {
      const admit = () => {
        if (needed > 9) throw new Error('too much');
        return budget.free >= needed;
      };
      return pace.enter({ lane: name, admit }).then(() => out.push(name));
    };
    await call('first');
    void enter('large', 2);
    void enter('small', 0);
    await call('reads');
    expect(out).toEqual(['first', 'reads']);
    budget.free = 2;
    await leave('first');
    expect(out).toEqual(['first', 'reads', 'large', 'small']);
    await leave('reads');
    await expect(enter('never', 10)).rejects.toThrow('too much');
  });

  test('a request that goes alone waits for those in flight, and holds back later ones of its lane', async () => {
    const { out, call, leave } = paced(4);
    await call('key', 'before');
    await call('key', 'alone', -1, true);
    await call('key', 'after');
    await call('other');
    expect(out).toEqual(['before', 'other']);
    await leave('key');
    expect(out).toEqual(['before', 'other', 'alone']);
    await leave('key');
    expect(out).toEqual(['before', 'other', 'alone', 'after']);
  });

  test('an open pace limits only what is in flight, and leaves no timer', async () => {
    const { pace, out, call, leave, refuse, planned } = paced(2, 1);
    for (const name of ['a', 'b', 'c', 'd']) await call('key', name);
    expect(out).toEqual(['a']);
    pace.open();
    await settled();
    expect(out).toEqual(['a', 'b']);
    await leave('key');
    await refuse('key', 60);
    expect(out).toEqual(['a', 'b', 'c', 'd']);
    expect(planned()).toBe(0);
  });
});

test('a configured rate spaces the requests of each key, but not those without a lane', async () => {
  const { pace, out, call, move } = paced(8, 60);
  for (const name of ['a1', 'a2', 'a3']) await call('a', name);
  await call('b', 'b1');
  for (const name of ['c1', 'c2']) pace.enter({ lane: null }).then(() => out.push(name));
  await settled();
  expect(out).toEqual(['a1', 'b1', 'c1', 'c2']);
  await move(999);
  expect(out).toHaveLength(4);
  await move(1);
  expect(out.at(-1)).toBe('a2');
  await move(1000);
  expect(out.at(-1)).toBe('a3');
});

describe('a key that was refused', () => {
  test('waits for the latest end of its waits, to the millisecond, and holds up no other key', async () => {
    const { out, call, refuse, move } = paced(8);
    await call('a', 'one');
    await call('a', 'two');
    await refuse('a', 5);
    await refuse('a', 2);
    await call('a', 'three');
    await call('b');
    expect(out).toEqual(['one', 'two', 'b']);
    await move(4999);
    expect(out).toHaveLength(3);
    await move(1);
    expect(out).toEqual(['one', 'two', 'b', 'three']);
  });

  test('need not wait once the clock of the deployment was advanced', async () => {
    const { pace, out, call, refuse, planned } = paced(8);
    await call('a', 'refused');
    await refuse('a', 60);
    await call('a', 'repeated');
    pace.advanced(1);
    await settled();
    expect(out).toEqual(['refused', 'repeated']);
    expect(planned()).toBe(0);
  });

  test.each([
    [1, 5],
    [5, 5],
    [45, 2],
    [60, 1],
    [90, 1],
  ])('by a limit of %i s that never reopens waits %i times', async (seconds, waits) => {
    const { pace, move, sent } = paced(8);
    let waited = 0;
    // Requests that were under way together wait together.
    while ([sent(), sent()].every((exchange) => pace.refused('a', exchange, seconds) === undefined)) {
      waited += 1;
      await move(seconds * 1000);
    }
    expect(waited).toBe(waits);
    expect(pace.refused('a', sent(), seconds)).toMatch(`still 429 after ${waits} waits of Retry-After in a row`);
    expect(pace.refused('b', sent(), seconds)).toBeUndefined();
    pace.served('a');
    expect(pace.refused('a', sent(), seconds)).toBeUndefined();
  });
});

/** `admit` returns 0 if the server serves a request, otherwise the seconds to wait. */
interface Limit {
  admit(): number;
  end(): void;
}

describe('a limit', () => {
  const inFlightAtMost = (limit: number, seconds = 1): Limit => {
    let inFlight = 0;
    const admit = () => {
      if (inFlight >= limit) return seconds;
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
  async function send(calls: number, limitOf: (now: () => number) => Limit, { careful = false, byClock = false } = {}) {
    const { pace, time, move, sent, advances } = paced(16);
    const { admit, end } = limitOf(time.elapsedMs);
    let [served, refused] = [0, 0];
    const one = async () => {
      for (let rank = 0; ; rank = -1) {
        await pace.enter({ lane: 'key', rank, alone: careful, room: careful });
        const exchange = sent();
        const seconds = admit();
        await new Promise<void>((resolve) => void time.after(10, resolve));
        if (seconds === 0) pace.served('key');
        else if (!byClock || !(await pace.waitByClock('key', exchange, seconds)))
          pace.refused('key', exchange, seconds);
        pace.leave('key');
        if (seconds === 0) break;
        refused += 1;
      }
      end();
      served += 1;
    };
    for (let count = 0; count < calls; count += 1) void one();
    await settled();
    while (served < calls) await move(10);
    return { ms: time.elapsedMs(), refused, advances: advances.length };
  }

  test.each([
    [false, 1, 0],
    [true, 1, 2],
    [true, 10, 2],
  ])('on the requests in flight is met a few times (clock: %j, Retry-After: %i)', async (byClock, seconds, most) => {
    const { ms, refused, advances } = await send(400, () => inFlightAtMost(4, seconds), { byClock });
    expect(refused).toBeLessThanOrEqual(16 + 8);
    expect(ms).toBeLessThan(4000);
    expect(advances).toBeLessThanOrEqual(most);
  });

  test('on the rate costs no more time than it must, and few refusals', async () => {
    const { ms, refused } = await send(600, (now) => inWindow(60, 2000, now));
    expect(ms).toBeLessThan(9 * 2000 * 1.1 + 500);
    expect(refused).toBeLessThan(600 / 7);
  });

  test('on the rate refuses no more requests that go alone, once it has been met', async () => {
    expect((await send(300, (now) => inWindow(60, 2000, now), { careful: true })).refused).toBe(1);
  });

  test('on the rate that another client once used up holds back no more than it must', async () => {
    const { pace, out, call, move, sent } = paced(8);
    const serve = (times: number) => Array.from({ length: times }, () => pace.served('key'));
    serve(16);
    pace.refused('key', sent(), 2);
    await move(2000);
    serve(40);
    await move(2001);
    serve(20);
    await call('key', 'key', 0, true);
    expect(out).toEqual(['key']);
  });

  test('that never refuses holds nothing back', async () => {
    expect(await send(320, () => inFlightAtMost(400))).toEqual({ ms: 200, refused: 0, advances: 0 });
  });
});

describe('a limit that may follow the clock', () => {
  const serve = (pace: Pace, times: number) => {
    for (let count = 0; count < times; count += 1) pace.served('a');
  };

  test('the clock is advanced as far as a 429 says, once for all that got it together', async () => {
    const { pace, advances, sent } = paced(8);
    const together = [sent(), sent(), sent()];
    expect(await Promise.all(together.slice(1).map((each) => pace.waitByClock('a', each, 30)))).toEqual([true, true]);
    expect(await pace.waitByClock('a', sent(0), 30)).toBe(true);
    expect(advances).toEqual([30]);
  });

  test('if another key wants it to be advanced further, it is advanced by the rest', async () => {
    const { pace, advances, sent } = paced(8);
    const refused = sent();
    const together = [5, 60, 60].map((seconds, key) => pace.waitByClock(`key ${key}`, refused, seconds));
    expect(await Promise.all(together)).toEqual([true, true, true]);
    expect(advances).toEqual([5, 55]);
  });

  test('after two advances in vain, the limit follows real time', async () => {
    const { pace, advances, sent, call } = paced(8);
    serve(pace, 10);
    for (const follows of [true, true, false]) expect(await pace.waitByClock('a', sent(), 10)).toBe(follows);
    expect(await pace.waitByClock('b', sent(), 10)).toBe(true);
    await call('a', 'a', 0, true);
    expect(advances).toEqual([10, 10, 10]);
  });

  test.each([
    ['few requests were served since', 9, 0, [10]],
    ['half as many were served as the limit allows', 10, 0, [10, 10]],
    ['the clock was advanced as far for another reason', 10, 1200, [10]],
  ])('before a request that needs room, if %s', async (_, servedSince, advancedSince, expected) => {
    const { pace, advances, sent, call } = paced(8);
    serve(pace, 20);
    await pace.waitByClock('a', sent(), 10);
    serve(pace, servedSince);
    if (advancedSince > 0) pace.advanced(advancedSince);
    await call('a', 'a', 0, true);
    expect(advances).toEqual(expected);
  });

  /** Waits out a 429 that asks for one second. Returns whether the clock was advanced. */
  const waitShortly = async ({ pace, sent, move }: ReturnType<typeof paced>): Promise<boolean> => {
    const exchange = sent();
    if (await pace.waitByClock('a', exchange, 1)) return true;
    pace.refused('a', exchange, 1);
    await move(1000);
    return false;
  };

  test('if a short wait brings one request, the limit refills gradually, and the clock is advanced', async () => {
    const key = paced(8);
    const { pace, advances, call } = key;
    serve(pace, 15);
    expect(await waitShortly(key), 'waits in real time').toBe(false);
    serve(pace, 1);
    expect(await waitShortly(key)).toBe(true);
    serve(pace, 15);
    await call('a', 'a', 0, true);
    expect(advances, 'one request is not the size of the bucket').toEqual([60]);
    expect(await waitShortly(key)).toBe(true);
    serve(pace, 8);
    await call('a', 'a', 0, true);
    expect(advances, 'the size of the bucket is 15').toEqual([60, 60, 60]);
  });

  test('if advances bring no more than short waits, the limit follows real time', async () => {
    const key = paced(8);
    for (const byClock of [false, true, false, true, false, false]) {
      expect(await waitShortly(key)).toBe(byClock);
      serve(key.pace, 3);
    }
  });

  test('of the limits of several tools, the lowest counts', async () => {
    const { pace, advances, sent, call } = paced(8);
    for (const served of [20, 100, 10]) {
      serve(pace, served);
      if (served > 10) await pace.waitByClock('a', sent(), 10);
    }
    await call('a', 'a', 0, true);
    expect(advances).toEqual([10, 10, 10]);
  });

  test('if a short wait brings a whole window, the limit follows real time', async () => {
    const { pace, advances, sent, move } = paced(8);
    const exchange = sent();
    expect(await pace.waitByClock('a', exchange, 1)).toBe(false);
    pace.refused('a', exchange, 1);
    await move(1500);
    serve(pace, 10);
    expect(await pace.waitByClock('a', sent(), 1)).toBe(false);
    expect(advances).toEqual([]);
  });
});
