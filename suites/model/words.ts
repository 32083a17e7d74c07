import type { Completed } from '../exchange/exchange.ts';
import { brief } from '../json.ts';
import {
  type Mismatch,
  type Outcome,
  outcomeOf,
  type Place,
  type PlainWant,
  type Want,
  type WantedOutcome,
  type Where,
} from './answers.ts';

/** Describes what a response may hold and what it holds. */
export function inWords(mismatch: Mismatch): { readonly expected: string; readonly actual: string } {
  if ('expected' in mismatch) return { expected: mismatch.expected, actual: mismatch.actual };
  if (mismatch.at === 'response') {
    // `check` puts the outcome there.
    return { expected: wantedInWords(mismatch.want), actual: outcomeInWords(mismatch.got as Outcome) };
  }
  const { at, want, got } = mismatch;
  if (typeof want === 'object' && 'names' in want) {
    return {
      expected: `an issue whose ${want.by} names the invalid field`,
      actual: `"${want.names}" is invalid, and the issues are ${brief(got)}`,
    };
  }
  const [place, separator] = named(at);
  if (typeof want === 'object' && 'elements' in want) {
    const array = want.elements === 0 ? 'an array' : 'a non-empty array';
    return { expected: `${place} to be ${array}`, actual: `${place} ${brief(got)}` };
  }
  const isOneOf = typeof want === 'object' && 'oneOf' in want;
  if (isOneOf && want.oneOf.some((value) => lookAlike(value, got)))
    return { expected: `${place} ${want.oneOf.map(spelled).join(' or ')}`, actual: `${place} ${spelled(got)}` };
  return {
    expected: isOneOf ? oneOf(at, want) : `${place}${separator}${kind(at, want)}`,
    actual: 'header' in at && got === undefined ? `no header ${place}` : `${place}${separator}${shown(at, got)}`,
  };
}

/** The place of a difference, for reports: `header x-service-api`, `body working_in.source`, `response`. */
export function placeInWords(at: Where): string {
  if (typeof at === 'string') return at;
  return 'header' in at ? `header ${at.header}` : `body ${at.member.join('.')}`;
}

function named(at: Place): readonly [place: string, separator: string] {
  if ('header' in at) return [at.header, ': '];
  const path = at.member.join('.');
  return [path === 'error.code' ? 'error code' : path, ' '];
}

function oneOf(at: Place, { oneOf: all }: Extract<Want, { oneOf: unknown }>): string {
  const [place, separator] = named(at);
  const values = all.filter((value) => value !== undefined).map((value) => shown(at, value));
  if (values.length === 0) return `no ${place}`;
  return values.length < all.length
    ? `${place} absent or ${values.join(' or ')}`
    : `${place}${separator}${values.join(' or ')}`;
}

/** Whether two texts may look identical to a person. */
function lookAlike(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string' && a.normalize('NFKC') === b.normalize('NFKC');
}

/** Formats a text, with every character outside printable ASCII as a code point. */
function spelled(text: unknown): string {
  return brief(text).replace(/[^ -~]/gu, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);
}

function kind(
  at: Place,
  want: Exclude<PlainWant, { oneOf: unknown } | { names: unknown } | { elements: unknown }>,
): string {
  if (want === 'text') return 'header' in at ? 'any text' : 'to be a non-empty string';
  return 'least' in want ? `a whole number of at least ${want.least}` : want.type;
}

function shown(at: Place, value: unknown): string {
  return 'header' in at ? String(value) : brief(value);
}

function wantedInWords(want: WantedOutcome): string {
  if ('ok' in want) {
    if (want.ok) return 'HTTP 200 with ok true';
    return `HTTP 200 with ok false, code ${want.code === undefined ? '(any string)' : JSON.stringify(want.code)}`;
  }
  const codes = want.error?.map((code) => JSON.stringify(code)).join(' or ');
  return `HTTP ${want.status}${codes === undefined ? '' : ` with error code ${codes}`}`;
}

/** Describes a response in a few words: its status and its outcome. */
export const describe = (exchange: Completed): string => outcomeInWords(outcomeOf(exchange));

/** Describes an outcome in a few words. */
function outcomeInWords(outcome: Outcome): string {
  const { status, ok, code, error, result, unusable } = outcome;
  const start = `HTTP ${status} with`;
  if (unusable !== undefined) return `${start} ${unusable}`;
  if (error !== undefined) return `${start} error code ${brief(error, 80)}`;
  if (ok === false) return `${start} ok false, code ${brief(code, 80)}`;
  if (ok === true) return `${start} ok true${result === undefined ? '' : `, status ${brief(result, 80)}`}`;
  return `${start} ok ${brief(ok, 80)}`;
}
