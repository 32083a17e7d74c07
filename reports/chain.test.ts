import { expect, test } from 'vitest';
import { aFinding, anExchange } from '../test/reports/results.ts';
import { chainOf, comparedIn, stepLines } from './chain.ts';
import { differingLines } from './difference.ts';

const minute = 60_000;

test('a chain holds the steps in the order of sending, with times of the deployment, and the control last', () => {
  const exchanges = [
    anExchange(1, { step: 'used id: present the used ID', clockMovedMs: 29 * minute + 30_000 }),
    anExchange(2, { step: 'used id: propose' }),
    anExchange(3, { step: 'balances: read', credential: 'sole' }),
  ];
  const chain = chainOf(aFinding({ exchanges: [1], story: [2, 1], control: 3 }), exchanges);
  expect(chain.map(({ part }) => part)).toEqual(['leads', 'shows', 'control']);
  expect(stepLines(chain)).toEqual([
    '1. propose (schedule.read as primary): HTTP 200, ok true',
    '2. present the used ID, 29 min 30 s later: HTTP 200, ok true',
    '3. send a similar request, which succeeds (schedule.read as sole): HTTP 200, ok true',
  ]);
});

test('lines of steps name the tool once, and join what was the same', () => {
  const used = { step: 'used id: present the used ID' };
  const exchanges = [
    anExchange(1, { step: 'used id: propose' }),
    anExchange(2, used),
    anExchange(3, used),
    anExchange(4, { ...used, response: { status: 401, headers: [], body: '{"error":{"code":"refused"}}' } }),
    anExchange(5, { credential: 'sole' }),
  ];
  expect(stepLines(chainOf(aFinding({ exchanges: [4], story: [1, 2, 3, 4, 5] }), exchanges))).toEqual([
    '1. propose (schedule.read as primary): HTTP 200, ok true',
    '2-3. present the used ID: HTTP 200, ok true',
    '4. present the used ID: HTTP 401, error code "refused"',
    '5. schedule.read as sole: HTTP 200, ok true',
  ]);
});

test('a finding of an earlier version or of recorded traffic has its exchanges alone', () => {
  const chain = chainOf(aFinding({ exchanges: [1, 9] }), [anExchange(1, { response: null, problem: 'socket closed' })]);
  expect(stepLines(chain)).toEqual(['1. schedule.read as primary: socket closed']);
});

test('two responses are compared only if they must not differ', () => {
  const answer = (status: number, body: string, date: string) => ({
    response: { status, headers: [['date', date] as [string, string]], body },
  });
  const exchanges = [anExchange(1, answer(401, '{"a":1}', 'now')), anExchange(2, answer(401, '{"a":2}', 'later'))];
  const compared = comparedIn(chainOf(aFinding({ exchanges: [1, 2], expected: 'the body of x: {}' }), exchanges));
  expect(compared && differingLines(compared, 1000, 10)).toEqual(['  {', '-   "a": 1', '+   "a": 2', '  }']);
  const succeeded = [anExchange(1), anExchange(2)];
  expect(comparedIn(chainOf(aFinding({ exchanges: [1, 2] }), succeeded))).toBeUndefined();
});
