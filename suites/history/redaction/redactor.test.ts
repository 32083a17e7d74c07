import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forms } from '../../../test/forms.ts';
import { redactor, redactors } from './redactor.ts';

const key = 'k-3y_aB/x+Zq&"0=%41\\u0042!';
const redact = redactor(new Map([[key, 'primary']]));

/** Removes the marks from a text. */
const rest = (text: string) => text.replace(/<primary[^<>]*>/g, '<>');
/** Removes the marks and adjacent characters. If base64 digits change case, adjacent digits may be redacted too. */
const farRest = (text: string) => text.replace(/.{0,2}<primary[^<>]*>.{0,2}=*/g, '<>');

test.each(forms)('a secret is found $what', ({ of }) => {
  expect(rest(redact(`{"member":"${of(key)}"}`))).toMatch(/^\{"member":"(QmVhcmVyI|Oj?)?<>A?=*"\}$/);
  expect(rest(redact(`x-header${of(key)}`))).toMatch(/^x-header(QmVhcmVyI|Oj?)?<>A?=*$/);
});

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabc0123456789'];
const signs = [...'-_!"#$%&\'()*+,./:;<=>?@[\\]^`{|}~'];

/** Two keys of one form, so that encodings leave equal text around both. */
const twoKeys = fc
  .tuple(
    fc.shuffledSubarray([...letters, ...signs], { minLength: 12 }),
    fc.integer({ min: 1, max: letters.length - 1 }),
  )
  .map(([characters, shift]) => {
    const shifted = (character: string) => {
      const at = letters.indexOf(character);
      return at < 0 ? character : letters[(at + shift) % letters.length];
    };
    return [characters.join(''), characters.map(shifted).join('')] as const;
  });

const around = fc.string({ unit: fc.constantFrom(...'efghjk ".:/{}<>'), maxLength: 5 });
const oneForm = fc.constantFrom(...forms);
const innerForm = fc.constantFrom(...forms.filter(({ combines }) => combines));
const readable = fc.constantFrom(...forms.filter(({ name }) => !name.endsWith('-case')));

test('of a secret in two combined encodings nothing is left, whatever text surrounds it', () => {
  fc.assert(
    fc.property(twoKeys, innerForm, oneForm, around, around, (keys, inner, outer, before, after) => {
      const [left, right] = keys.map((secret) => {
        const text = before + outer.of(inner.of(secret)) + after;
        return farRest(redactor(new Map([[secret, 'primary']]))(text));
      });
      expect(left).toBe(right);
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('the same holds for parts of a secret', () => {
  fc.assert(
    fc.property(twoKeys, innerForm, readable, fc.nat(48), fc.nat(48), (keys, inner, outer, from, more) => {
      const [left, right] = keys.map((secret) => {
        const start = Math.min(from, secret.length - 12);
        const text = outer.of(inner.of(secret.slice(start, start + 12 + more)));
        return farRest(redactor(new Map([[secret, 'primary']]))(text));
      });
      expect(left).toBe(right);
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('equal texts become equal marks, and other texts other marks', () => {
  const texts = new Set(forms.flatMap(({ of }) => [of(key), of(key.slice(0, 13)), of(`${key}a`)]));
  const marked = [...texts].map(redact);
  expect(new Set(marked).size).toBe(texts.size);
  expect([...texts].map(redact)).toEqual(marked);
});

test.each([
  [key, '<primary>'],
  [key.toUpperCase(), '<primary, upper case>'],
  [Buffer.from(key).toString('base64url'), '<primary, base64>'],
  [Buffer.from(Buffer.from(key).toString('hex')).toString('base64'), '<primary, base64 of hex>=='],
  [key.slice(2, 14), '<primary, characters 3 to 14>'],
  [`${key}a ${key.slice(0, -1)}`, '<primary>a <primary, characters 1 to 25>'],
  [key.slice(0, 10), key.slice(0, 10)],
  [`İİİİİİİİİİİİ${key}İ`, 'İİİİİİİİİİİİ<primary>İ'],
])('%s becomes %s', (text, marked) => {
  // A new redactor each time, because numbers continue from one text to the next.
  expect(redactor(new Map([[key, 'primary']]))(text)).toBe(marked);
});

test.each([
  ['soft line breaks of quoted-printable', `${key.slice(0, 5)}=\r\n${key.slice(5)}`],
  ['line breaks as JSON writes them', JSON.stringify(`${key.slice(0, 5)}\n${key.slice(5)}`).slice(1, -1)],
  ['a zero-width space as JSON writes it', `${key.slice(0, 5)}\\u200B${key.slice(5).replace('\\', '\\\\')}`],
  ['a byte order mark', `${key.slice(0, 9)}\ufeff${key.slice(9)}`],
  ['hexadecimal digits with spaces', [...Buffer.from(key)].map((byte) => byte.toString(16)).join(' ')],
  [
    'hexadecimal digits with hyphens',
    [...Buffer.from(key)]
      .map((byte) => byte.toString(16))
      .join('-')
      .toUpperCase(),
  ],
  ['decimal bytes as JSON writes them', JSON.stringify([...Buffer.from(key)]).slice(1, -1)],
  ['indented decimal bytes', JSON.stringify([...Buffer.from(key)], null, 2).slice(4, -2)],
  ['decimal bytes of UTF-16', [...Buffer.from(key, 'utf16le')].slice(0, -1).join(',')],
  ['base64 in lines', Buffer.from(key).toString('base64').replace(/.{8}/g, '$&\r\n')],
])('a secret with %s is found, and nothing around it goes', (_, text) => {
  expect(rest(redact(`before\n(${text})\nafter`))).toMatch(/^before\n\(<>=*\)\nafter$/);
});

test('line breaks beside a secret stay', () => {
  expect(redactor(new Map([[key, 'primary']]))(`a\n${key}\r\nb\u200b${key}\u200b`)).toBe(
    'a\n<primary>\r\nb\u200b<primary>\u200b',
  );
});

test('whole secrets can be found alone, also beside a longer one that begins alike', () => {
  const { whole } = redactors(
    new Map([
      [key, 'primary'],
      [`${key}-and-more`, 'sole'],
    ]),
  );
  for (const { of } of forms) expect(whole(of(key))).toMatch(/<primary[^<>]*>/);
  expect(whole(`${key}-and`)).toBe('<primary>-and');
  expect(whole(`${key.slice(0, 20)}-id-1`)).toBe(`${key.slice(0, 20)}-id-1`);
});

test('keys that differ from the shortest key in one character are found', () => {
  const short = redactor(new Map([['k3yOfTwelve1', 'primary']]));
  for (const near of ['k3yOfTwelve1a', 'k3yOfTwelve', 'K3YoFtWELVE1', 'k3yOfTwelveX']) {
    expect(short(`Bearer ${near}`)).toMatch(/^Bearer <primary[^<>]*>[aX]?$/);
  }
});

test('of two secrets of which one holds the other, the longer one is found', () => {
  for (const secrets of [['abcdefghijkl', 'abcdefghijklmn'] as const, ['abcdefghijklmn', 'abcdefghijkl'] as const]) {
    const redactWithNames = redactor(new Map(secrets.map((secret) => [secret, `${secret.length} letters`])));
    expect(redactWithNames('abcdefghijklmn abcdefghijkl')).toBe('<14 letters> <12 letters>');
  }
});

test('what anybody may read is no part of a secret, and stays', () => {
  const partly = redactor(new Map([['authorization-8f3a', 'primary']]), (part) => 'authorization'.includes(part));
  expect(partly('authorization: Bearer authorization-8f3a')).toBe('authorization: Bearer <primary>');
  expect(partly('authorization-8')).toBe('<primary, characters 1 to 15>');
});

test('a short secret is found as it is, where it stands alone', () => {
  const short = redactor(new Map([['a.b', 'key'], ['$&.*(', '$1'], ['', 'nothing']])); // biome-ignore format: a table
  expect(short('a.b aXb xa.b "a.b" $&.*(')).toBe('<key> aXb xa.b "<key>" <$1>');
});

test('a text of megabytes without a secret is the very same text', () => {
  const text = JSON.stringify(
    Array.from({ length: 20_000 }, (_, index) => ({ index, text: 'nothing at all', key: null })),
  );
  expect(redact(text)).toBe(text);
});
