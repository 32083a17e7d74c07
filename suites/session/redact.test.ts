import { expect, test } from 'vitest';
import { Reported, redactDeep } from '../engine/reported.ts';
import { answered } from '../testing/exchanges.ts';
import { redactor } from './redact.ts';

test('secrets are replaced by words, wherever and however often they stand', () => {
  const redact = redactor(new Map([['s3cret', 'primary']]));
  expect(redact('Bearer s3cret; s3crets3cret')).toBe('Bearer <primary>; <primary><primary>');
  expect(redact('nothing')).toBe('nothing');
});

test('of two secrets of which one holds the other, nothing is left behind', () => {
  for (const order of [
    ['abcd', 'abcdef'],
    ['abcdef', 'abcd'],
  ]) {
    const redact = redactor(new Map(order.map((secret) => [secret, `${secret.length} letters`])));
    expect(redact('abcdef abcd')).toBe('<6 letters> <4 letters>');
  }
});

test('a secret is found as JSON and as a URL write it', () => {
  const redact = redactor(new Map([['a"b\\c/d+e', 'key']]));
  expect(redact(JSON.stringify({ key: 'a"b\\c/d+e' }))).toBe('{"key":"<key>"}');
  expect(redact(`?key=${encodeURIComponent('a"b\\c/d+e')}`)).toBe('?key=<key>');
});

test('what means something to a pattern or to a replacement is taken as it is', () => {
  const redact = redactor(new Map([['$&.*(', '$1']]));
  expect(redact('x $&.*( y')).toBe('x <$1> y');
});

test('a secret of a few letters is one where it stands alone', () => {
  const redact = redactor(
    new Map([
      ['re', 'revoked'],
      ['a.b', 'key'],
    ]),
  );
  expect(redact('Bearer re, refusal, "re", here; a.b aXb xa.b')).toBe(
    'Bearer <revoked>, refusal, "<revoked>", here; <key> aXb xa.b',
  );
});

test('an empty secret hides nothing', () => {
  expect(redactor(new Map([['', 'nothing']]))('text')).toBe('text');
});

test('every text of a value is looked at, names of members included, and nothing else changes', () => {
  const redact = redactor(new Map([['s3cret', 'primary']]));
  const value = { s3cret: ['s3cret', 1, null, true], deep: { text: 'no s3cret' }, ['__proto__']: 's3cret' };
  const redacted = redactDeep(value, redact);
  expect(JSON.stringify(redacted)).toBe(
    '{"<primary>":["<primary>",1,null,true],"deep":{"text":"no <primary>"},"__proto__":"<primary>"}',
  );
});

test('a long body is cut in the report, and the report says where', () => {
  const reported = new Reported();
  const long = answered({ body: 'ä'.repeat(100_000) });
  expect(reported.refer([long, long])).toEqual([1, 1]);
  const [exchange] = reported.list();
  expect(exchange?.response?.body).toHaveLength(65_536);
  expect(exchange?.response?.cutAtBytes).toBe(131_072);
});
