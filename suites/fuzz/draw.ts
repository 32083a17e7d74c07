import fc from 'fast-check';
import type { Args } from '../engine/context.ts';
import type { NamedBy } from '../expect/issues.ts';
import type { Arguments, Field } from './schema.ts';

/** Arguments of one call; where they break a rule, which field does, and where an answer may name it. */
export interface Drawn {
  args: Args;
  broken?: { field: string; by: NamedBy };
}

/** Beside ASCII: accents, other scripts, right to left, what is written with several code points, and what lies outside the basic plane. */
const beyondAscii = [...'éßøŁЖλ中あ한ع𝒳🛳', 'e\u0301', '👩‍👧', '🇳🇴', 'नि'];

/** Any text of printable characters, of some scripts. The library's own lists of all of them take a second to make. */
export const text = (minLength: number, maxLength: number) =>
  fc.string({
    unit: fc.oneof({ weight: 4, arbitrary: ascii(1, 1) }, { weight: 1, arbitrary: fc.constantFrom(...beyondAscii) }),
    minLength,
    maxLength,
    size: 'max',
  });

/** Printable ASCII, of which nobody disputes the length. */
export const ascii = (minLength: number, maxLength: number) =>
  fc.string({ unit: 'grapheme-ascii', minLength, maxLength, size: 'max' });

/** Nothing but what the document rules on: neither null for what is optional nor an absent query. */
const unruled = ['confirmation_id'];

const notText = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.array(ascii(0, 5), { maxLength: 2 }),
  fc.record({ value: ascii(0, 5) }),
);

const notInteger = fc.oneof(
  fc.integer().map(String),
  fc.boolean(),
  fc.array(fc.integer(), { maxLength: 2 }),
  fc.integer({ min: 0, max: 50 }).map((whole) => whole + 0.5),
);

/** Values that break one rule of a field, and no other, by which it is named. */
function badValues(field: Field): fc.Arbitrary<unknown>[] {
  const { type, minLength, maxLength, pattern, values } = field;
  const wrongType: fc.Arbitrary<unknown> = type === 'string' ? notText : notInteger;
  return [
    wrongType,
    ...(minLength > 0 ? [fc.constant('')] : []),
    ...(maxLength === undefined ? [] : [ascii(maxLength + 1, maxLength + 40)]),
    ...(pattern === undefined ? [] : [nearly(fc.stringMatching(pattern)).filter((value) => !pattern.test(value))]),
    ...(values === undefined ? [] : [nearly(fc.constantFrom(...values)).filter((value) => !values.includes(value))]),
  ];
}

/** Any short text, or a good one with a character more. Printable ASCII: what else counts as a digit is nowhere said. */
function nearly(good: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const longer = fc
    .tuple(good, ascii(1, 1), fc.boolean())
    .map(([value, more, before]) => (before ? more + value : value + more));
  return fc.oneof(ascii(0, 12), longer);
}

/** Good arguments of which one rule is broken. Undefined where the schema has no rule to break. */
export function broken(good: fc.Arbitrary<Args>, { fields, closed }: Arguments): fc.Arbitrary<Drawn> | undefined {
  const ruled = fields.filter(({ name }) => !unruled.includes(name));
  const ways = [
    ...ruled.flatMap((field) =>
      badValues(field).map((values) =>
        values.map((value) => ({ field: field.name, by: 'path' as const, change: { [field.name]: value } })),
      ),
    ),
    ...ruled
      .filter(({ required }) => required)
      .map(({ name }) => fc.constant({ field: name, by: 'path or message' as const, change: { [name]: undefined } })),
    ...(closed ? [unknownProperty(fields)] : []),
  ];
  if (ways.length === 0) return undefined;
  return fc.tuple(good, fc.oneof(...ways)).map(([args, { field, by, change }]) => {
    // A key without a value is no member of the JSON that is sent.
    const sent = Object.entries({ ...args, ...change }).filter(([, value]) => value !== undefined);
    return { args: Object.fromEntries(sent), broken: { field, by } };
  });
}

function unknownProperty(fields: readonly Field[]) {
  const names = fields.map(({ name }) => name);
  return fc
    .tuple(
      fc.stringMatching(/^[a-z]{3,12}$/).filter((name) => !names.includes(name)),
      fc.oneof(ascii(0, 5), fc.integer(), fc.boolean()),
    )
    .map(([name, value]) => ({ field: name, by: 'path or message' as const, change: { [name]: value } }));
}

/** Any JSON object: known arguments with any value, and anything beside them. */
export function anything(good: Args, { fields }: Arguments): fc.Arbitrary<Drawn> {
  const value = fc.oneof(
    fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
    fc.constantFrom('\u0000', '__proto__', '{{7*7}}', "' OR 1=1 --", '../../etc', '%00', '\u202e', '\ud800'),
    fc.constantFrom(-0, 1e308, -1e308, 2 ** 53, 1e-320),
    fc.jsonValue({ maxDepth: 3 }),
  );
  const names = fields.map(({ name }) => name);
  const extra = fc.dictionary(
    fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString', ''), ascii(1, 8)),
    value,
    {
      maxKeys: 2,
      noNullPrototype: true,
    },
  );
  return fc
    .tuple(fc.dictionary(fc.constantFrom('workspace', ...names), value, { maxKeys: 2, noNullPrototype: true }), extra)
    .map(([known, more]) => ({ args: { ...good, ...known, ...more } }));
}
