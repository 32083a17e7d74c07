import { describe, expect, test } from 'vitest';
import { exchangesOf, type Said } from '../../../test/history.ts';
import { isCompleted } from '../../exchange/exchange.ts';
import { ResponsesByReason } from '../world/by-reason.ts';
import { Ids } from '../world/ids.ts';
import { Limits } from '../world/limits.ts';
import { Firsts } from '../world/remember.ts';

const times = (count: number, one: (number: number) => Said): Said[] => Array.from({ length: count }, (_, n) => one(n));
const proposal = (number: number): Said => ({
  tool: 'images.generate',
  args: { board: 'b-1', brief: `Street ${number}`, count: 1, shape: '1:1' },
  body: { ok: true, status: 'confirmation_required', confirmation_id: `c-${number}` },
});

describe('what is remembered is bounded, and what was forgotten accuses nobody', () => {
  test('more requests in a minute than are remembered are not taken for fewer', () => {
    const limits = new Limits(new Map());
    const requests = times(6000, (number) => ({ tool: 'schedule.read', at: number / 240, took: 0 }));
    const over = (at: number): Said => ({ tool: 'schedule.read', status: 429, at, took: 0 });
    const [atOnce, later, ...busy] = exchangesOf([over(25), over(90), ...requests]).filter(isCompleted);
    for (const exchange of busy) limits.add(exchange);
    expect([atOnce, later].map((exchange) => exchange && limits.isBelowOthers(exchange))).toEqual([false, true]);
  });

  test('ids that were issued long ago', () => {
    const ids = new Ids();
    const all = exchangesOf(times(12_000, proposal));
    for (const exchange of all) ids.add(exchange);
    expect([...ids.all()].length).toBeLessThan(5000);
    expect([ids.wasIssued('c-0'), ids.wasIssued('c-11999')]).toEqual([undefined, true]);
  });

  test('whether others were dispatched meanwhile is unknown where turns were forgotten', () => {
    const [first, later, ...others] = exchangesOf([
      proposal(0),
      { tool: 'credits.balance' },
      ...times(12_000, proposal),
    ]);
    const ids = new Ids();
    if (first === undefined || later === undefined) throw new Error('there are two');
    ids.add(first);
    const issued = ids.issued('c-0');
    if (issued === undefined) throw new Error('it was issued');
    expect(ids.othersBetween(issued, later)).toBe(false);
    for (const other of others) ids.add(other);
    expect(ids.othersBetween(issued, later)).toBe(true);
  });

  test('the first exchange of a value that was forgotten is a later one', () => {
    const all = exchangesOf(times(5000, proposal)).filter(isCompleted);
    const firsts = new Firsts(({ number }) => `run ${number}`);
    for (const exchange of all) firsts.add(exchange);
    expect([all[0], all[4999]].map((exchange) => exchange && firsts.of(exchange))).toEqual([undefined, all.at(-1)]);
  });

  test('responses to thousands of causes', () => {
    const byReason = new ResponsesByReason();
    const all = exchangesOf(times(9000, (number) => ({ tool: `tool${number}`, status: 404 }))).filter(isCompleted);
    for (const [index, exchange] of all.entries()) byReason.add('404', `tool${index}`, exchange);
    expect([byReason.of('404', 'tool0').length, byReason.of('404', 'tool8999').length]).toEqual([1, 0]);
  });
});
