import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { Session } from '../session/session.ts';
import { defaultPace } from '../target.ts';
import { inProcess } from '../testing/stub-target.ts';
import { Context, type Shared } from './context.ts';
import { groundOf } from './ground.ts';

/** Contexts of one run, whose calls go one at a time, with the tools that were called so far. */
function ranked() {
  const target = inProcess(createStub(), { pace: { ...defaultPace, concurrency: 1 } });
  const session = new Session(target, new AbortController().signal, () => undefined);
  const shared = new Map<string, Shared>();
  const context = (rank: number) =>
    new Context({
      session,
      target,
      ground: groundOf(target.workspaces, undefined, undefined, new Date(), 'run'),
      seed: 1,
      fuzz: { calls: 0, drawn: new Set() },
      observing: false,
      rank,
      shared,
      onControl: () => undefined,
    });
  return { context, called: () => session.exchanges.map(({ request }) => request.tool), end: () => session.close() };
}

test('calls of lower rank go first', async () => {
  const { context, called, end } = ranked();
  const [late, early] = [context(2), context(1)];
  await Promise.all([
    context(0).call('schedule.read', {}),
    late.call('content.status', {}),
    early.call('library.search', {}),
  ]);
  expect(called()).toEqual(['schedule.read', 'library.search', 'content.status']);
  await end();
});

test.each(['a call', 'a scene'])(
  '%s that somebody more urgent waits for goes before what is less urgent',
  async (what) => {
    const { context, called, end } = ranked();
    const [late, early, urgent] = [context(2), context(1), context(0)];
    const read = (t: Context) =>
      what === 'a call'
        ? t.call('content.status', {})
        : t.once('scene', () => t.call('content.status', {}, { fresh: true }));
    await Promise.all([urgent.call('schedule.read', {}), read(late), early.call('library.search', {}), read(urgent)]);
    expect(called()).toEqual(['schedule.read', 'content.status', 'library.search']);
    await end();
  },
);

test('what could not be made fails for all that wait for it, and for nobody else', async () => {
  const { context, end } = ranked();
  const make = () => Promise.reject(new Error('not made'));
  const [one, other] = [context(0), context(1)];
  const waiting = [one.once('scene', make), other.once('scene', make)];
  expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  one.once('left alone', make);
  await end();
});
