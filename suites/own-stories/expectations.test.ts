import { expect, test } from 'vitest';
import { exchangesOf, type Said } from '../../test/history.ts';
import { type Completed, isCompleted } from '../history/exchange.ts';
import { durationMs, hasHeader, respondsWithin } from './expectations.ts';

const exchangeOf = (said: Partial<Said>): Completed => {
  const [exchange] = exchangesOf([{ tool: 'schedule.read', ...said }]).filter(isCompleted);
  if (exchange === undefined) throw new Error('an exchange has a response');
  return exchange;
};

test('respondsWithin compares the duration of the response', () => {
  expect(respondsWithin(exchangeOf({ took: 0.5 }), 500, 'Be fast.')).toBeUndefined();
  const slow = exchangeOf({ took: 0.501 });
  expect(respondsWithin(slow, 500, 'Be fast.')).toEqual({
    expected: 'a response within 500 ms',
    actual: 'a response of schedule.read after more than 500 ms',
    hint: 'Be fast.',
    exchanges: [slow],
    refutable: { by: 'others' },
  });
});

test('a recording without durations has no slow response', () => {
  const untimed = { ...exchangeOf({}), receivedAt: Number.POSITIVE_INFINITY };
  expect(durationMs(untimed)).toBeUndefined();
  expect(respondsWithin(untimed, 500, 'Be fast.')).toBeUndefined();
});

test.each([
  [[], 'no header x-request-id'],
  [[['x-request-id', ' ']], 'an empty header x-request-id'],
  [[['x-request-id', 'r-1']], undefined],
] as const)('hasHeader expects a header that is not empty: %j', (headers, actual) => {
  expect(hasHeader(exchangeOf({ headers }), 'x-request-id', 'Add it.')?.actual).toBe(actual);
});
