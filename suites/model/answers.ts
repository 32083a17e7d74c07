import type { SchemaName } from '../../fixtures/contract/validators.generated.js';
import { body, type Completed, header, isOutcomeStatus } from '../exchange/exchange.ts';
import { brief, member } from '../json.ts';
import type { KitFinding, Place } from './finding.ts';
import { unfit } from './fits.ts';
import { mayName, type NamedBy } from './world/violations.ts';

/**
 * What a place may hold: one of some texts, where undefined means that it may be absent; a non-empty text; a whole
 * number in a header; a JSON type; an array of at least so many elements; issues, if any, that name a field; whatever
 * the published description allows there; or a value for which a condition holds.
 */
export type Want =
  | { readonly oneOf: readonly unknown[] }
  | { readonly least: number }
  | { readonly type: 'number' | 'string' | 'boolean' }
  | { readonly elements: number }
  | { readonly names: string; readonly by: NamedBy }
  | { readonly fits: SchemaName }
  | { readonly words: string; holds(value: unknown): boolean | string }
  | 'text';

/** A want that a mismatch shows as it is. */
type PlainWant = Exclude<Want, { fits: unknown } | { holds: unknown }>;

/** What the response as a whole may be: the outcome of a tool, or an error response. An absent code may be any. */
type WantedOutcome =
  | { readonly status: 200; readonly ok: boolean; readonly code?: string | undefined }
  | { readonly status: number; readonly error?: readonly string[] | undefined };

/** A pattern of allowed responses, as data. */
export type Answer =
  | { readonly at: Place; readonly want: Want }
  | { readonly at: 'response'; readonly want: WantedOutcome };

export type Answers = readonly Answer[];

/** What a member of the body may hold. */
export const has = (path: string, want: Want): Answer => ({ at: { member: path.split('.') }, want });

/** Exactly this value of a member of the body. */
export const is = (path: string, value: unknown): Answer => has(path, { oneOf: [value] });

/** A member of the body for which a condition holds. `words` completes "the member". A text says what is wrong. */
export const holds = (path: string, words: string, condition: (value: unknown) => boolean | string): Answer =>
  has(path, { words, holds: condition });

export const success: Answer = { at: 'response', want: { status: 200, ok: true } };

/** A refusal by a tool, with this code (default: any). */
export const refusal = (code?: string): Answer => ({ at: 'response', want: { status: 200, ok: false, code } });

/** An error response, with one of these codes (default: any). */
export const failure = (status: number, error?: readonly string[]): Answer => ({
  at: 'response',
  want: { status, error },
});

/** Returns the first difference of a response from the allowed ones. */
export function check(answers: Answers, exchange: Completed): KitFinding | undefined {
  for (const answer of answers) {
    const mismatch = answer.at === 'response' ? otherOutcome(answer.want, exchange) : otherValue(answer, exchange);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

function otherOutcome(want: WantedOutcome, exchange: Completed): KitFinding | undefined {
  const { status, json } = exchange.response;
  if (!('ok' in want)) {
    const code = member(json, 'error', 'code');
    const hasCode = want.error === undefined || want.error.some((allowed) => allowed === code);
    if (status === want.status && hasCode) return undefined;
    const codes = want.error?.map((allowed) => JSON.stringify(allowed)).join(' or ');
    const expected = `HTTP ${want.status}${codes === undefined ? '' : ` with error code ${codes}`}`;
    return { at: 'response', want, expected };
  }
  const { ok, code } = body(exchange);
  const hasCode = want.ok || (want.code === undefined ? typeof code === 'string' : code === want.code);
  if (isOutcomeStatus(status) && ok === want.ok && hasCode) return undefined;
  const due = want.code === undefined ? '(any string)' : JSON.stringify(want.code);
  return { at: 'response', want, expected: `HTTP 200 with ok ${want.ok ? 'true' : `false, code ${due}`}` };
}

function otherValue({ at, want }: Extract<Answer, { at: Place }>, exchange: Completed): KitFinding | undefined {
  const isHeader = 'header' in at;
  const path = isHeader ? at.header : at.member.join('.');
  if (want !== 'text' && 'fits' in want) return unfit(exchange, want.fits, path);
  const got = isHeader ? header(exchange, at.header) : member(exchange.response.json, ...at.member);
  if (want !== 'text' && 'holds' in want) {
    const held = want.holds(got);
    if (held === true) return undefined;
    return { at, got, expected: `${path} ${want.words}`, actual: held || `${path} ${brief(got)}` };
  }
  if (fits(want, got)) return undefined;
  return { at, want, got, ...inWords(at, want, got) };
}

function fits(want: PlainWant, got: unknown): boolean {
  if (want === 'text') return typeof got === 'string' && got !== '';
  if ('oneOf' in want) return want.oneOf.includes(got);
  if ('least' in want) return typeof got === 'string' && /^\d+$/.test(got) && Number(got) >= want.least;
  if ('elements' in want) return Array.isArray(got) && got.length >= want.elements;
  if ('names' in want) return mayName(got, want.names, want.by);
  return typeof got === want.type;
}

function inWords(at: Place, want: PlainWant, got: unknown): { expected: string; actual: string } {
  const isHeader = 'header' in at;
  const path = isHeader ? at.header : at.member.join('.').replace(/^error\.code$/, 'error code');
  const shown = (value: unknown) => (isHeader ? String(value) : brief(value));
  const place = isHeader ? `${path}:` : path;
  const actual = isHeader && got === undefined ? `no header ${path}` : `${place} ${shown(got)}`;
  if (want === 'text') return { expected: `${place} ${isHeader ? 'any text' : 'to be a non-empty string'}`, actual };
  if ('least' in want) return { expected: `${place} a whole number of at least ${want.least}`, actual };
  if ('type' in want) return { expected: `${place} ${want.type}`, actual };
  if ('elements' in want)
    return { expected: `${place} to be ${want.elements === 0 ? 'an array' : 'a non-empty array'}`, actual };
  if ('names' in want) {
    return {
      expected: `an issue whose ${want.by} names the invalid field`,
      actual: `"${want.names}" is invalid, and the issues are ${brief(got)}`,
    };
  }
  const { oneOf } = want;
  if (oneOf.some((value) => lookAlike(value, got)))
    return { expected: `${path} ${oneOf.map(spelled).join(' or ')}`, actual: `${path} ${spelled(got)}` };
  const values = oneOf.filter((value) => value !== undefined).map(shown);
  if (values.length === 0) return { expected: `no ${path}`, actual };
  const start = values.length < oneOf.length ? `${path} absent or` : place;
  return { expected: `${start} ${values.join(' or ')}`, actual };
}

/** Whether two texts may look identical to a person. */
function lookAlike(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string' && a.normalize('NFKC') === b.normalize('NFKC');
}

/** Formats a text, with every character outside printable ASCII as a code point. */
function spelled(text: unknown): string {
  return brief(text).replace(/[^ -~]/gu, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);
}
