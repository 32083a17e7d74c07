import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { toolsWithoutSideEffects } from '../../../fixtures/contract/tools.ts';
import { answered, exchangesOf, judgementOf, type Said, verdictOf } from '../../../test/history.ts';
import { isCompleted } from '../../exchange/exchange.ts';
import { ResponsesByReason } from '../world/by-reason.ts';
import { Ids } from '../world/ids.ts';
import { Limits } from '../world/limits.ts';
import { Firsts } from '../world/remember.ts';

const times = <T>(count: number, one: (number: number) => T): T[] => Array.from({ length: count }, (_, n) => one(n));
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

  test.each([
    [290, false],
    [305, true],
    [830, false],
  ])(
    'a tool with a limit of its own, beside %i requests for each other tool, has no shared limit: %s',
    (count, expected) => {
      const [limited = '', other = '', ...others] = toolsWithoutSideEffects;
      const served = [...times(300, () => limited), ...times(count, () => [other, ...others]).flat()].map((tool) => ({
        tool,
      }));
      const behind = times(10, () => [{ tool: limited, status: 429 }, { tool: other }]).flat();
      const all = [...served, ...behind];
      const exchanges = exchangesOf(all.map((said, number) => ({ ...said, at: number / 120, took: 0 })));
      const limits = new Limits(new Map());
      for (const exchange of exchanges) limits.add(exchange);
      const [last429, last] = exchanges.filter(isCompleted).slice(-2);
      expect(last429 && last && limits.isUncounted(last, last429)).toBe(expected);
    },
  );

  test('large bodies are not remembered with the time of their response', async () => {
    const limits = new Limits(new Map());
    const add = () => {
      const exchange = answered();
      limits.add(exchange);
      return new WeakRef(exchange);
    };
    const added = add();
    setFlagsFromString('--expose-gc');
    await new Promise(setImmediate);
    runInNewContext('gc')();
    expect(added.deref()).toBeUndefined();
  });

  test('an item of another account is recognized after many others', () => {
    const found = (count: number) =>
      times(count, (number) => ({ kind: 'image', id: `i-${number}`, title: `Item ${number}` }));
    const search = (workspace: string, query: string, count: number): Said => ({
      tool: 'library.search',
      args: { workspace, query },
      body: { ok: true, workspace, items: found(count) },
    });
    const get = (workspace: string, { kind, id, title }: ReturnType<typeof found>[number]): Said => ({
      tool: 'library.get',
      args: { workspace, kind, id },
      body: { ok: true, workspace, kind, id, title },
    });
    const own = [search('north', '', 250), ...found(250).map((item) => get('north', item))];
    const gets = found(1).map((item) => get('harbour', item));
    const theirs = [search('harbour', '', 0), search('harbour', 'Item 0', 0), ...gets];
    const all = [...own, ...theirs.map((said): Said => ({ ...said, as: 'otherAccount' }))];
    expect(verdictOf('library.items-stay-in-account', ...all)).toBe('failed');
  });

  test('a dispatch of a changed brief is found after many others', () => {
    const args = { board: 'b-1', count: 1, shape: '1:1', workspace: 'north' };
    const confirm = (number: number, brief = `Street ${number}`): Said[] => [
      { ...proposal(number), args: { ...args, brief: `Street ${number}` } },
      {
        tool: 'images.generate',
        args: { ...args, brief, confirmation_id: `c-${number}` },
        body: { ok: true, status: 'dispatched', run_id: `r-${number}` },
      },
    ];
    const others = times(250, (number) => confirm(number + 1)).flat();
    const body = { ok: true, items: [{ title: 'Field' }] };
    const search: Said = { tool: 'library.search', args: { query: '' }, body };
    const all = [...confirm(0, 'Field'), ...others, search];
    expect(judgementOf('confirmations.changed-brief', all).findings).toHaveLength(1);
  });

  test('ids that were issued long ago', () => {
    const ids = new Ids();
    const all = exchangesOf(times(12_000, proposal));
    for (const exchange of all) ids.add(exchange);
    expect([...ids.all()].length).toBeLessThan(5000);
    expect([ids.wasIssued('c-0'), ids.wasIssued('c-11999')]).toEqual([undefined, true]);
  });

  test('whether others were dispatched meanwhile is unknown where turns were forgotten', () => {
    const all = [proposal(0), { tool: 'credits.balance' }, ...times(12_000, proposal)];
    const [first, later, ...others] = exchangesOf(all);
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
