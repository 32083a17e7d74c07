import { expect, test } from 'vitest';
import { answered } from '../../../test/history.ts';
import { differingParts, headerParts, memberParts, type Parts, textPart } from './by-reason.ts';

const parts = (given: Record<string, string>): Parts => new Map(Object.entries(given));

/** Headers that servers and intermediaries change by themselves. Some of the others look like them. */
const changing =
  'date age set-cookie connection keep-alive transfer-encoding content-length x-request-id request-id ' +
  'x-correlation-id x-amzn-requestid traceparent cf-ray ratelimit-remaining x-ratelimit-remaining x-rate-limit-reset';
const others = 'www-authenticate x-service-api x-reason server cache-control x-dated x-idle';

test.each(changing.split(' '))('the header %s never counts', (name) => {
  expect([...headerParts(answered({ headers: [[name, 'x']] })).keys()]).toEqual([]);
});

test.each(others.split(' '))('the header %s counts', (name) => {
  expect(headerParts(answered({ headers: [[name, 'x']] })).get(name)).toBe('x');
});

test('values of a repeated header are one part, in their order', () => {
  const repeated = answered({ headers: ['a', 'b'].map((value) => ['vary', value] as const) });
  expect(headerParts(repeated).get('vary')).toBe('a, b');
});

test('a body to the byte, or member by member', () => {
  expect(textPart(answered({ body: '{ "a": 1 }' })).get('body')).toBe('{ "a": 1 }');
  const members = memberParts(answered({ body: { error: { code: 'x' }, list: [1, [null]] } }));
  expect(Object.fromEntries(members)).toEqual({
    'body.error.code': '"x"',
    'body.list.length': '2',
    'body.list[0]': '1',
    'body.list[1].length': '1',
    'body.list[1][0]': 'null',
  });
  expect([...memberParts(answered({ body: 'no JSON' }))]).toEqual([['body', 'no JSON']]);
});

test('texts may be masked', () => {
  const masked = memberParts(answered({ body: { message: 'id cnf_1 is used' } }), (text) => text.replace('cnf_1', '…'));
  expect(masked.get('body.message')).toBe('"id … is used"');
});

test('parts differ in their values, and in being there', () => {
  expect(differingParts(parts({ a: '1', b: '2' }), parts({ a: '1', b: '3', c: '4' }))).toEqual(['b', 'c']);
});
