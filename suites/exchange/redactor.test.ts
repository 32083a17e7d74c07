import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forms } from '../../test/forms.ts';
import { Redactor, redactValue } from './redactor.ts';

const key = 'k-3y_aB/x+Zq&"0=%41\\u0042!';
const redactorOf = (...secrets: (readonly [string, string])[]) => new Redactor(new Map(secrets)).redact;
const redact = redactorOf([key, 'primary']);

/** Removes the marks from a text. */
const rest = (text: string) => text.replace(/<primary[^<>]*>/g, '<>');

test.each(forms)('a secret is found $what', ({ of }) => {
  expect(rest(redact(`{"member":"${of(key)}"}`))).toMatch(/^\{"member":"(QmVhcmVyIG|Ojp|Om)?<>[A-Z]?=*"\}$/);
  expect(rest(redact(`x-header ${of(key)}`))).toMatch(/^x-header (QmVhcmVyIG|Ojp|Om)?<>[A-Z]?=*$/);
});

const anyKey = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 12,
  maxLength: 48,
});
const around = fc.string({ unit: fc.constantFrom(...'efghjk ".:/{}<>'), maxLength: 5 });

test('a secret is found in each encoding, whatever text surrounds it', () => {
  fc.assert(
    fc.property(anyKey, fc.constantFrom(...forms), around, around, (secret, { of }, before, after) => {
      const shown = redactorOf([secret, 'primary'])(`${before} ${of(secret)} ${after}`);
      expect(shown).toContain('<primary');
      expect(shown.length).toBeLessThan(before.length + after.length + 50);
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('equal texts become equal marks, and other texts other marks', () => {
  const texts = new Set(forms.flatMap(({ of }) => [of(key), of(`${key}a`)]));
  const marked = [...texts].map(redact);
  expect(new Set(marked).size).toBe(texts.size);
  expect([...texts].map(redact)).toEqual(marked);
});

test.each([
  [key, '<primary>'],
  [key.toUpperCase(), '<primary, other case>'],
  [Buffer.from(key).toString('base64url'), '<primary, base64>E'],
  [Buffer.from(key).toString('hex'), '<primary, hex>'],
  [encodeURIComponent(key), '<primary, percent>'],
  [key.slice(0, -1), key.slice(0, -1)],
  [`İİİİİİİİİİİİ${key}İ`, 'İİİİİİİİİİİİ<primary>İ'],
])('%s becomes %s', (text, marked) => {
  // A new redactor each time, because numbers continue from one text to the next.
  expect(redactorOf([key, 'primary'])(text)).toBe(marked);
});

test('of two secrets of which one holds the other, the longer one is found', () => {
  for (const secrets of [['abcdefghijkl', 'abcdefghijklmn'] as const, ['abcdefghijklmn', 'abcdefghijkl'] as const]) {
    const redactWithNames = redactorOf(...secrets.map((secret) => [secret, `${secret.length} letters`] as const));
    expect(redactWithNames('abcdefghijklmn abcdefghijkl')).toBe('<14 letters> <12 letters>');
  }
});

test('a short secret is found as it is, where it stands alone', () => {
  const short = redactorOf(['a.b', 'key'], ['$&.*(', '$1'], ['', 'nothing']);
  expect(short('a.b aXb xa.b "a.b" $&.*(')).toBe('<key> aXb xa.b "<key>" <$1>');
});

test('a text of megabytes without a secret is the very same text', () => {
  const text = JSON.stringify(
    Array.from({ length: 20_000 }, (_, index) => ({ index, text: 'nothing \\ at all', key: null })),
  );
  expect(redact(text)).toBe(text);
});

const hidden = (text: string) => text.replaceAll('s3cret', '<primary>');

test('in a value, every text is redacted, with names of members from the server, and nothing else changes', () => {
  const json = { s3cret: ['s3cret', 1, null, true], deep: { kind: 'no s3cret' }, ['__proto__']: 's3cret' };
  expect(JSON.stringify(redactValue({ got: json, text: ['s3cret'] }, hidden))).toBe(
    '{"got":{"<primary>":["<primary>",1,null,true],"deep":{"kind":"no <primary>"},"__proto__":"<primary>"},' +
      '"text":["<primary>"]}',
  );
});

test('words of the kit stay where they are its own', () => {
  const words = { kind: 's3cret', id: 's3cret.a', precondition: 's3cret.b' };
  const value = { s3cret: true, requirements: [{ ...words, s3cret: 's3cret' }] };
  expect(redactValue(value, hidden)).toEqual({ s3cret: true, requirements: [{ ...words, s3cret: '<primary>' }] });
});
