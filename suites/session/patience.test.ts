import { describe, expect, test } from 'vitest';
import { answered } from '../../test/history.ts';
import { Patience } from './patience.ts';

const call = (tool: string) => answered({ tool });

/** Returns the seconds to wait after a 503 to a request that was sent at this time. */
const outage = (patience: Patience, tool: string, atMs: number, seconds = 1, nowMs = atMs) => {
  const headers: [string, string][] = [['retry-after', String(seconds)]];
  return patience.outage(answered({ tool, status: 503, headers, at: atMs / 1000 }), nowMs, 90);
};

describe('timeouts', () => {
  const thrice = ['library.get', 'library.get', 'library.get'];
  const thirty = Array.from({ length: 15 }, () => ['library.get', 'answered', 'schedule.read']).flat();
  test.each<[string, tools: (string | 'answered')[], tool: string, reason: string | undefined]>([
    ['two of a tool', ['library.get', 'library.get'], 'library.get', undefined],
    ['three of a tool', thrice, 'library.get', '3 requests to library.get in a row'],
    ['three of another tool', thrice, 'library.search', undefined],
    ['three with an answer in between', ['a', 'a', 'answered', 'a'], 'a', undefined],
    ['three of names that are no tools', ['one', 'two', 'toString'], 'four', '3 requests to other tools in a row'],
    ['thirty of a run', thirty, 'credits.balance', '30 requests of this run'],
  ])('%s', (_, tools, tool, reason) => {
    const patience = new Patience();
    let last = call(tool);
    for (const each of tools) {
      if (each === 'answered') {
        patience.answered(last);
        continue;
      }
      last = call(each);
      patience.timedOut(last);
    }
    const stopped = reason && `${reason} got no response in time; the run sends no more of them`;
    expect(patience.givenUp({ tool })).toEqual(stopped && { reason: stopped, exchange: last });
  });
});

describe('outages', () => {
  test('after five in a row of several tools, the run sends nothing more', () => {
    const patience = new Patience();
    for (let wait = 0; wait < 5; wait += 1) {
      for (const tool of ['library.get', 'schedule.read']) outage(patience, tool, wait * 1000);
      expect(patience.givenUp({ tool: 'credits.balance' })).toBeUndefined();
    }
    outage(patience, 'library.get', 5000);
    expect(patience.givenUp({ tool: 'credits.balance' })?.reason).toContain('still 503 after 5 waits in a row');
  });

  test('of one tool say nothing about the others', () => {
    const patience = new Patience();
    for (let wait = 0; wait < 20; wait += 1) outage(patience, 'library.get', wait * 1000);
    expect(patience.givenUp({ tool: 'library.get' })).toBeUndefined();
  });

  test('that simultaneous requests met wait no longer than the first of them', () => {
    const patience = new Patience();
    for (const atMs of [0, 40_000]) expect(outage(patience, 'library.get', atMs, 40)).toBe(40);
    expect([80_010, 80_020].map((nowMs) => outage(patience, 'library.get', 80_000, 40, nowMs))).toEqual([0, 0]);
  });
});
