import { expect, test } from 'vitest';
import { answered, exchangesOf } from '../../test/history.ts';
import { Unanswered } from '../session/call.ts';
import { Repetitions } from './repetitions.ts';

test('requests are repeated in alternating order, and a missing response abandons its own finding only', async () => {
  const ids = ['connections.connected', 'credits.one-balance'] as const;
  const exchanges = exchangesOf(['a', 'b', 'c', 'd'].map((tool) => ({ tool })));
  const repeated: number[] = [];
  const text = { at: 'exchanges', expected: '', actual: '', hint: '' } as const;
  const judgements = ids.map((id, index) => ({
    ...{ id, tested: 1, findings: [], more: 0, lacks: [] },
    unconfirmed: [{ ...text, exchanges: exchanges.slice(2 * index, 2 * index + 2), refutable: { by: 'repetition' } }],
  })) satisfies ReturnType<ConstructorParameters<typeof Repetitions>[0]['judgements']>;
  const repeat = async (number: number) => {
    if (number === 0) throw new Unanswered('the connection broke');
    repeated.push(number);
    return answered({}, number);
  };
  await new Repetitions({ judgements: () => judgements }, { repeat, isInterrupted: false }).confirmRefutable();
  const inBothOrders = [3, 2, 2, 3];
  expect(repeated).toEqual([1, ...inBothOrders, ...inBothOrders, ...inBothOrders]);
});
