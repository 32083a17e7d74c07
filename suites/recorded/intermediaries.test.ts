import { expect, test } from 'vitest';
import { foundIn } from '../../test/recording.ts';
import type { Headers } from '../exchange/exchange.ts';
import type { Recorded } from './recorded.ts';

/** A request whose response is the page of a gateway. */
const answered = (status: number, tool: string, headers: Headers, requestBody: string | undefined): Recorded => ({
  method: 'POST',
  url: `https://staging.example.test/api/v1/tools/${tool}`,
  requestHeaders: [['authorization', 'Bearer a-key'], ['content-type', 'application/json'], ...headers],
  requestBody,
  response: { status, headers: [['content-type', 'text/html']], text: `<h1>${status}</h1>` },
  sentAt: 0,
  receivedAt: 1,
});

test.each([
  ['a name with a NUL', answered(400, 'schedule.read%00', [], '{}')],
  ['a long cookie, which is hidden', answered(400, 'schedule.read', [['cookie', 'x'.repeat(9000)]], '{}')],
  ['a large body that is not kept', answered(413, 'schedule.read', [['content-length', '2000000']], undefined)],
])('the page of a gateway for %s is no finding', (_what, recorded) => {
  expect(foundIn([recorded])).toEqual([]);
});

test('the page of a gateway for a query with a hidden value is a finding', () => {
  expect(foundIn([answered(400, 'images.generate?a=secret', [], '{}')])).not.toEqual([]);
});
