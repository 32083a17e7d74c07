import { expect, test } from 'vitest';
import type { RequirementId } from '../../fixtures/requirements/model.ts';
import { createStub } from '../../stub/index.ts';
import { both, changing, fields, result } from '../../stub/variants/changes/responses.ts';
import { answered, exchangesOf } from '../../test/history.ts';
import { inProcess } from '../../test/stub-target.ts';
import type { Judgement } from '../model/judge/judgement.ts';
import { Unanswered } from '../session/call.ts';
import { audit } from './audit.ts';
import { notRepeatedNote, Repetitions } from './repetitions.ts';

/** Returns the failures if some results of `connections.status`, selected by `lacks`, omit a group. */
async function foundWhere(lacks: (nth: number) => boolean) {
  let count = 0;
  const isNext = () => {
    count += 1;
    return lacks(count);
  };
  const deviation = changing(both(result('connections.status'), isNext), fields({ connected: undefined }));
  const { requirements } = await audit(inProcess(createStub({ deviation })), { seed: 1, observe: false });
  return requirements.filter(({ status }) => status === 'failed').map(({ id, findings }) => [id, findings[0]?.note]);
}

test('a failure that does not come about again says so', async () => {
  expect(await foundWhere((nth) => nth === 2)).toEqual([['connections.connected', notRepeatedNote]]);
});

test('one that does come about again is a failure like any other', async () => {
  expect(await foundWhere(() => true)).toEqual([['connections.connected', undefined]]);
});

test('a request without a response abandons the repetitions of its own finding only', async () => {
  const ids = ['connections.connected', 'credits.needs-no-workspace', 'credits.one-balance'] as const;
  const exchanges = exchangesOf(ids.map(() => ({ tool: 'credits.balance' })));
  const repeated: number[] = [];
  const judgement = (index: number): Judgement => ({
    id: ids[index] ?? ids[0],
    tested: repeated.includes(index) ? 2 : 1,
    findings: [
      {
        at: 'exchanges',
        want: '',
        got: '',
        expected: '',
        actual: '',
        hint: '',
        exchanges: exchanges.slice(index, index + 1),
      },
    ],
    more: 0,
    unconfirmed: [],
    lacks: [],
  });
  const judgements = (chosen?: ReadonlySet<RequirementId>) =>
    ids.flatMap((id, index) => (chosen?.has(id) === false ? [] : [judgement(index)]));
  const repeat = async (number: number) => {
    if (number === 0) throw new Unanswered('the connection broke');
    repeated.push(number);
    return answered({}, number);
  };
  const repetitions = new Repetitions({ judgements }, { repeat, isInterrupted: false });
  const met = await repetitions.repeatLoneReadFindings();
  expect(repeated).toEqual([1, 2]);
  expect([...met]).toEqual(ids.slice(1));
});
