import { describe, expect, test } from 'vitest';
import { toolsWithoutSideEffects } from '../../../fixtures/contract/tools.ts';
import { judgementOf, type Said, verdictOf } from '../../../test/history.ts';

const ok = { ok: true };
const served = (tool: string, more: Partial<Said> = {}): Said => ({ tool, as: 'throttled', body: ok, ...more });

const over = (tool: string, seconds = 30, more: Partial<Said> = {}): Said => ({
  tool,
  as: 'throttled',
  status: 429,
  headers: [['retry-after', String(seconds)]],
  body: { error: { code: 'tenant_mcp.rate_limited', message: 'Wait.', retry_after_seconds: seconds } },
  ...more,
});

/** Places all exchanges within one minute. */
const inOneMinute = (said: readonly Said[]) =>
  said.map((exchange, number) => ({ ...exchange, at: number / 50, took: 0.01 }));

const times = (count: number, said: readonly Said[]) => Array.from({ length: count }, () => said).flat();

describe('rate-limit.spans-tools', () => {
  const id = 'rate-limit.spans-tools';
  const verdict = (...said: Said[]) => {
    return verdictOf(id, ...inOneMinute(said));
  };
  const [first = '', ...others] = toolsWithoutSideEffects;
  const limit = 10;
  const atLimit = [...times(limit, [served(first)]), over(first)];

  test('is broken where each tool has a limit of its own, as high as the first', () => {
    const beside = (tool: string) => times(limit + 1, [over(first), served(tool)]);
    const history = others.flatMap((tool) => [...beside(tool), over(first), over(tool)]);
    expect(verdict(...atLimit, ...history)).toBe('failed');
  });
  test('is broken where one tool is not counted', () => {
    const [uncounted = '', ...counted] = others;
    const refused = counted.flatMap((tool) => [over(first), over(tool)]);
    expect(verdict(...atLimit, ...refused, ...times(20, [over(first), served(uncounted)]))).toBe('failed');
  });
  test('is not judged before all tools are used up to it: some may have limits of their own', () => {
    const [second = ''] = others;
    expect(verdict(...atLimit, ...times(20, [over(first), served(second)]))).toBe('not tested');
  });
});

describe('rate-limit.per-key', () => {
  const id = 'rate-limit.per-key';
  const balance: Said = { tool: 'credits.balance', body: { ok: true } };
  const before = inOneMinute(times(40, [balance]));
  const refusedLater = [100, 200, 300].flatMap((at) => [
    over('schedule.read', 30, { at }),
    over('credits.balance', 30, { as: 'primary', at: at + 1 }),
  ]);

  test('is broken where another key is refused each time, having been served far more before', () => {
    expect(verdictOf(id, ...before, ...refusedLater)).toBe('failed');
  });
  test('may be a limit that the keys share', () => {
    expect(verdictOf(id, balance, ...refusedLater)).toBe('not tested');
    expect(verdictOf(id, ...before, ...refusedLater.slice(0, 2))).toBe('not tested');
  });
  test('is broken where another key is closed', () => {
    expect(verdictOf(id, balance, over('schedule.read'), { ...balance, status: 403, body: {} })).toBe('failed');
  });
  test('says nothing of a key of another account', () => {
    const foreign = { ...balance, as: 'otherAccount' as const };
    expect(verdictOf(id, foreign, over('schedule.read'), { ...foreign, status: 403, body: {} })).toBe('not tested');
  });
});

describe('rate-limit.served-after-waiting', () => {
  const id = 'rate-limit.served-after-waiting';
  const at = (moment: number, moved = 0) => ({ at: moment, moved });
  const waited = (moment: number) => [over('a', 30, at(moment)), over('a', 30, at(moment + 31))];
  const key = served('credits.balance');

  test('is broken where it is refused each time', () => {
    expect(verdictOf(id, key, ...waited(10), ...waited(100), ...waited(200))).toBe('failed');
    expect(verdictOf(id, key, ...waited(10))).toBe('not tested');
  });
  test('says nothing where others were sent meanwhile', () => {
    const between = [10, 100, 200].flatMap((moment) => {
      const [one, other] = waited(moment);
      return [one, served('b', at(moment + 1)), other, served('b', at(moment + 40))] as Said[];
    });
    expect(verdictOf(id, key, ...between)).toBe('not tested');
  });
  test('goes by a moved clock only where the limit is seen to follow it', () => {
    const moved = (moment: number, clock: number) => [
      over('a', 30, at(moment, clock)),
      over('a', 30, at(moment + 1, clock + 31)),
    ];
    const refused = [...moved(10, 0), ...moved(20, 31), ...moved(30, 62), ...moved(40, 93)];
    const follows = [over('b', 30, at(50, 124)), served('b', at(51, 724))];
    const later = [...moved(60, 724), ...moved(70, 755), ...moved(80, 786)];
    expect(verdictOf(id, key, ...refused)).toBe('not tested');
    expect(judgementOf(id, [key, ...refused, ...follows]).findings).toEqual([]);
    expect(verdictOf(id, key, ...refused, ...follows, ...later)).toBe('failed');
  });
});
