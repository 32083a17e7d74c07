import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { both, changing, fields, result } from '../../stub/variants/changes/responses.ts';
import { inProcess } from '../testing/stub-target.ts';
import { unstable } from './attempts.ts';
import { audit } from './audit.ts';

/** What is found where one of the results of connections.status lacks a group, or each of them. */
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
  expect(await foundWhere((nth) => nth === 2)).toEqual([['connections.connected', unstable]]);
});

test('one that does come about again is a failure like any other', async () => {
  expect(await foundWhere(() => true)).toEqual([['connections.connected', undefined]]);
});
