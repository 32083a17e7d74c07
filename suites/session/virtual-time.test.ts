import { expect, test } from 'vitest';
import { VirtualTime } from './virtual-time.ts';

/** A time that passes at once, and records each pass in minutes. */
function simulated(beforePass: () => Promise<void> = async () => {}) {
  const passes: number[] = [];
  const clock = {
    deploymentMs: 0,
    onAdvanced: [] as ((seconds: number) => void)[],
    pass: async (ms: number) => {
      clock.deploymentMs += ms;
      passes.push(ms / 60_000);
    },
  };
  const time = new VirtualTime(clock, beforePass);
  const until = (minutes: number) => time.until(minutes * 60_000, 'a test');
  const waitOut = (minutes: number) => {
    clock.deploymentMs += minutes * 60_000;
    for (const listener of clock.onAdvanced) listener(minutes * 60);
  };
  return { time, clock, passes, until, waitOut, now: () => clock.deploymentMs / 60_000 };
}

test('time advances to the earliest wake-up, and only when all threads wait', async () => {
  const { time, passes, until, now } = simulated();
  const log: string[] = [];
  const open = Promise.withResolvers<void>();
  const all = [
    time.thread(async () => {
      await until(20);
      log.push(`first at ${now()}`);
      await until(45);
      log.push(`first at ${now()}`);
    }),
    time.thread(async () => {
      await until(30);
      log.push(`second at ${now()}`);
    }),
    time.thread(async () => {
      await open.promise;
      log.push(`third at ${now()}`);
    }),
  ];
  await Promise.resolve();
  expect(passes).toEqual([]);
  open.resolve();
  await Promise.all(all);
  expect(log).toEqual(['third at 0', 'first at 20', 'second at 30', 'first at 45']);
  expect(passes).toEqual([20, 10, 15]);
});

test('a thread wakes at its time even if another one lets time pass and never waits', async () => {
  const { time, until, waitOut, now } = simulated();
  const log: string[] = [];
  const busy = Promise.withResolvers<void>();
  const all = [time.thread(() => busy.promise), time.thread(() => until(20).then(() => void log.push(`at ${now()}`)))];
  for (let minute = 1; minute <= 30; minute += 1) {
    waitOut(1);
    await Promise.resolve();
  }
  busy.resolve();
  await Promise.all(all);
  expect(log).toEqual(['at 20']);
});

test('repetitions run before time passes', async () => {
  const log: string[] = [];
  const { time, until, now } = simulated(async () => void log.push(`before, at ${now()}`));
  await time.thread(() => until(10));
  expect(log).toEqual(['before, at 0']);
});

test('if time cannot pass, every wait fails', async () => {
  const { time, clock, until } = simulated();
  clock.pass = () => Promise.reject(new Error('no clock'));
  const waits = [1, 2].map((minutes) => time.thread(() => until(minutes)));
  const rejected = { status: 'rejected', reason: new Error('no clock') };
  expect(await Promise.allSettled(waits)).toEqual([rejected, rejected]);
});

test('a wait outside a thread is an error, because it would never end', async () => {
  const { time, passes, until } = simulated();
  await expect(until(20)).rejects.toThrow('a wait outside a thread of virtual time: a test');
  await time.thread(() => until(30));
  expect(passes).toEqual([30]);
});
