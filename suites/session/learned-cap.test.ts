import { expect, test } from 'vitest';
import { type Delays, Gate } from './gate.ts';

/** Virtual time that advances when nothing else is left to do. */
function virtualTime() {
  let now = 0;
  const due: { at: number; action: () => void }[] = [];
  const timer: Delays = {
    now: () => now,
    after(ms, action) {
      const entry = { at: now + ms, action };
      due.push(entry);
      return () => {
        const at = due.indexOf(entry);
        if (at >= 0) due.splice(at, 1);
      };
    },
  };
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    timer,
    sleep: (ms: number) => new Promise<void>((resolve) => void timer.after(ms, resolve)),
    async until(done: () => boolean) {
      for (await settle(); !done(); await settle()) {
        due.sort((a, b) => a.at - b.at);
        const next = due.shift();
        if (next === undefined) throw new Error('nothing is left to do');
        now = Math.max(now, next.at);
        next.action();
      }
      return now;
    },
  };
}

/** Rate limit of a server. Returns 0 if the request is served, otherwise the whole seconds to wait. */
type Admit = (now: number) => number;

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

/** Fixed windows that start every `windowMs`, shifted by `phaseMs` from the start of the run. */
function fixed(calls: number, windowMs: number, phaseMs = 0): Admit {
  let window = -1;
  let served = 0;
  return (now) => {
    const current = Math.floor((now + phaseMs) / windowMs);
    if (current !== window) [window, served] = [current, 0];
    if (served < calls) {
      served += 1;
      return 0;
    }
    return seconds((current + 1) * windowMs - phaseMs - now);
  };
}

function sliding(calls: number, windowMs: number): Admit {
  let served: number[] = [];
  return (now) => {
    served = served.filter((at) => at > now - windowMs);
    if (served.length < calls) {
      served.push(now);
      return 0;
    }
    return seconds((served[0] ?? now) + windowMs - now);
  };
}

function bucket(calls: number, windowMs: number): Admit {
  let [level, at] = [calls, 0];
  return (now) => {
    level = Math.min(calls, level + ((now - at) * calls) / windowMs);
    at = now;
    if (level >= 1) {
      level -= 1;
      return 0;
    }
    return seconds(((1 - level) * windowMs) / calls);
  };
}

/** Sends `calls` requests through a gate, 16 at once, as the session does. */
async function send(calls: number, admit: Admit, latencyMs: number) {
  const { timer, sleep, until } = virtualTime();
  const gate = new Gate(16, undefined, timer);
  let [served, refused] = [0, 0];
  const one = async () => {
    for (let rank = 0; ; rank = -1) {
      await gate.enter('primary', rank);
      await sleep(latencyMs / 2);
      const wait = admit(timer.now());
      await sleep(latencyMs / 2);
      gate.leave('primary', wait === 0 ? undefined : wait);
      if (wait === 0) break;
      refused += 1;
    }
    served += 1;
  };
  for (let count = 0; count < calls; count += 1) void one();
  const ms = await until(() => served === calls);
  return { ms, refused, known: gate.capOf('primary') };
}

const [cap, windowMs, calls] = [60, 2000, 600];

test.for([
  ['fixed', () => fixed(cap, windowMs), ((calls - cap) / cap) * windowMs],
  ['fixed, begun in the middle', () => fixed(cap, windowMs, 1300), ((calls - cap) / cap) * windowMs],
  ['sliding', () => sliding(cap, windowMs), ((calls - cap) / cap) * windowMs],
  ['drop by drop', () => bucket(cap, windowMs), ((calls - cap) / cap) * windowMs],
] as const)('a cap of 60 calls in two seconds costs no more time than it must: %s', async ([, admit, least]) => {
  for (const latencyMs of [1, 10, 40]) {
    const { ms, refused } = await send(calls, admit(), latencyMs);
    expect(ms, `${latencyMs} ms`).toBeLessThan(least * 1.1 + 500);
    expect(refused, `${latencyMs} ms`).toBeLessThan(calls / 7);
  }
});

test('once seen twice, a cap is kept to without another refusal', async () => {
  for (const admit of [fixed, sliding]) {
    const { refused, known } = await send(2000, admit(cap, windowMs), 5);
    expect(known).toEqual({ calls: cap, windowMs });
    expect(refused).toBeLessThan(24);
  }
});

test('a window of a minute is waited for once, not in steps', async () => {
  const { ms, refused } = await send(350, fixed(100, 60_000), 20);
  expect(ms).toBeLessThan(3 * 60_000 + 2000);
  expect(refused).toBeLessThan(40);
});

test('what somebody else left of the first window is not taken for the cap', async () => {
  const admit = fixed(100, 10_000);
  for (let used = 0; used < 95; used += 1) admit(0);
  const { ms } = await send(400, admit, 20);
  expect(ms).toBeLessThan(4 * 10_000 + 4000);
});

test('without a cap nothing is held back', async () => {
  expect(await send(320, () => 0, 10)).toMatchObject({ ms: 200, refused: 0, known: undefined });
});

test('a rate spaces the calls of one key, and no call without one', async () => {
  const { timer, until } = virtualTime();
  const gate = new Gate(16, 600, timer);
  const entered: [string | null, number][] = [];
  for (const lane of ['a', 'a', 'a', 'b', null, null]) {
    void gate.enter(lane).then(() => {
      entered.push([lane, timer.now()]);
      gate.leave(lane);
    });
  }
  await until(() => entered.length === 6);
  expect(entered).toEqual([
    ['a', 0],
    ['b', 0],
    [null, 0],
    [null, 0],
    ['a', 100],
    ['a', 200],
  ]);
});
