import { valueLeniencies } from '../../fixtures/leniencies/index.ts';
import type { ArgumentType } from '../../fixtures/leniencies/model.ts';
import type { Field } from '../model/schema.ts';
import type { Random } from './random.ts';

/**
 * Characters beyond ASCII: other scripts, sequences of several code points, astral characters, and letters with unusual
 * case folding or trimming.
 */
const beyondAscii = [
  ...['é', 'ß', 'ø', 'Ł', 'İ', 'ı', 'ſ', 'Ж', 'λ', 'ς', '中', 'あ', '한', 'ع', '٣', '𝒳', '🛳', 'ﬁ', '＂', '。'],
  ...['e\u0301', '\u{1F469}\u200D\u{1F467}', '🇳🇴', 'नि', '\u00a0', '\u200b', '\u2028'],
];

/** Characters with a special meaning in queries, patterns, templates or escapes. */
const meaningful = [
  '"',
  "'",
  '\\',
  '%',
  '_',
  '*',
  '?',
  '(',
  '[',
  '{{7*7}}',
  '<b>',
  '--',
  ';',
  '&amp;',
  '%00',
  '$(x)',
  '../',
  'null',
  '+',
  ':',
  '~',
];

/** Returns text of several scripts, at most `longest` UTF-16 units long. */
export function text(random: Random, longest: number): string {
  const units = Array.from({ length: random.between(1, 12) }, () =>
    random
      .weighted([
        { weight: 5, make: () => random.ascii(1, 6) },
        { weight: 2, make: () => random.pick(beyondAscii) },
        { weight: 2, make: () => random.pick(meaningful) },
        { weight: 1, make: () => random.pick(['\n', '\n', '\r\n', '\t']) },
      ])
      .make(),
  );
  return units
    .join('')
    .slice(0, longest)
    .toWellFormed()
    .replace(/\ufffd/g, '');
}

/** Returns printable ASCII that includes characters with special meanings. */
export function asciiText(random: Random, longest: number): string {
  const units = Array.from({ length: random.between(1, 10) }, () =>
    random.oneIn(2) ? random.pick(meaningful) : random.ascii(1, 8),
  );
  return units.join('').slice(0, longest);
}

/** Returns text that often breaks decoders, lookups and patterns. */
export function unruly(random: Random): string {
  const odd = [
    '\u0000',
    '\ud800',
    '\u0007',
    '\r\n',
    '\ufeff',
    '__proto__',
    'constructor',
    '\u202e',
    '\u{10FFFF}',
    '1e999',
  ];
  return `${random.ascii(0, 4)}${random.pick(odd)}${random.ascii(0, 4)}`;
}

/** Returns values of other types than the field's. The specification does not cover null, so null is left out. */
function otherTypes(random: Random, { type }: Field): unknown[] {
  const whole = random.between(-3, 40);
  const compound = [[], [random.ascii(1, 4)], {}, { value: random.letters(3) }, { a: { b: { c: whole } } }];
  if (type === 'integer') return [String(whole), '', true, false, whole + 0.5, 1.0000001, [whole], ...compound];
  return [whole, 0, 0, -0.5, true, false, false, false, ...compound];
}

/** Returns an invalid value that a common stack converts to a valid one. */
function convertible(random: Random, { type, pattern, values }: Field, good: string): unknown {
  const isValid = (value: unknown) =>
    typeof value === 'string' && (values?.includes(value) ?? pattern?.test(value) ?? type === 'string');
  const typed: ArgumentType = type === 'integer' ? type : values ? 'enum' : pattern ? 'day' : 'text';
  const converted = valueLeniencies.filter((leniency) => leniency.type === typed);
  return random.pick(
    random
      .pick(converted)
      .values(good)
      .filter((value) => !isValid(value)),
  );
}

/** Returns a value that violates exactly one rule of a field. */
export function badValue(random: Random, field: Field, good: string): unknown {
  const { minLength, maxLength, pattern, values } = field;
  const ways: (() => unknown)[] = [
    () => random.pick(otherTypes(random, field)),
    () => convertible(random, field, good),
  ];
  if (minLength > 0) ways.push(() => '');
  if (maxLength !== undefined) {
    ways.push(() => random.ascii(maxLength + 1, maxLength + random.pick([1, 1, 2, 56, 800])));
  }
  if (pattern !== undefined) ways.push(() => nearly(random, good, (near) => !pattern.test(near)));
  if (values !== undefined) ways.push(() => nearly(random, random.pick(values), (near) => !values.includes(near)));
  return random.pick(ways)();
}

/** Returns an invalid value close to a valid one, or any short text. */
function nearly(random: Random, good: string, isBad: (value: string) => boolean): string {
  const near = [
    `${good}${random.ascii(1, 2)}`,
    `${random.ascii(1, 2)}${good}`,
    good.slice(0, -1),
    good.toUpperCase(),
    good.replace(/[-_]/, random.pick(['', ' ', '/', '.'])),
    random.ascii(1, 12),
  ];
  return random.some(near, near.length).find(isBad) ?? `${good}${good}`;
}
