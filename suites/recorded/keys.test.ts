import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { inProcess } from '../../test/stub-target.ts';
import { clientRules } from '../clients/index.ts';
import { Recording } from './recording.ts';
import { Senders } from './senders.ts';

const stub = createStub();
const key = stub.keys.primary;
const base64 = Buffer.from(`:${key}`).toString('base64');

test.each([
  ['as it belongs', `Bearer ${key}`, undefined],
  ['by basic authentication', `Basic ${base64}`, 'not as "Bearer <key>"'],
  ['with something around it', `Bearer (${key} other-secret)`, 'with other text around the key'],
])('a key %s', (_, authorization, wrong) => {
  const target = inProcess(stub, { shape: '1:1' });
  const ways = { rules: [], clientRules, senders: new Senders(target), target, assumed: [] as const };
  const recording = new Recording({ ...ways, baseUrl: 'https://staging.example.test' }, 1);
  const exchange = recording.add({
    method: 'POST',
    url: 'https://staging.example.test/api/v1/tools/credits.balance',
    requestHeaders: [['authorization', authorization]],
    requestBody: '{}',
    response: null,
    sentAt: 0,
    receivedAt: 1,
  });
  recording.end();
  const judged = recording.ofClient().find(({ id }) => id === 'client-keys.only-in-authorization');
  const told = `credits.balance with a key in the header authorization, but ${wrong}`;
  expect(judged?.tested).toBe(1);
  expect(judged?.findings.map(({ actual }) => actual)).toEqual(wrong === undefined ? [] : [told]);
  for (const secret of [key, base64, 'other-secret']) expect(JSON.stringify(exchange)).not.toContain(secret);
});
