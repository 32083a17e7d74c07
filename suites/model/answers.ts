import { type SchemaName, type ValidationError, validators } from '../../fixtures/contract/validators.generated.js';
import { body, type Completed, header, isOutcomeStatus } from '../exchange/exchange.ts';
import { brief, isRecord, member } from '../json.ts';
import { mayName, type NamedBy } from './world/violations.ts';

/** A place in a response: a header, or the path of a member of the body. */
export type Place = { readonly header: string } | { readonly member: readonly string[] };

/** What differs from what is allowed: a place in a response, the response as a whole, or several exchanges together. */
export type Where = Place | 'response' | 'exchanges';

/** The response as a whole, as far as it decides: the status, and the members that say what the tool did. */
export interface Outcome {
  readonly status: number;
  readonly ok?: unknown;
  /** Code of a refusal. */
  readonly code?: unknown;
  /** Code of an error response. */
  readonly error?: unknown;
  /** Member `status` of a result. */
  readonly result?: unknown;
  /** Why the body cannot decide anything. */
  readonly unusable?: string;
}

/** Returns the outcome that a response shows. */
export function outcomeOf(exchange: Completed): Outcome {
  const { status, json, unread, text } = exchange.response;
  if (unread !== undefined) return { status, unusable: unread };
  if (text === '') return { status, unusable: 'an empty body' };
  if (json === undefined) return { status, unusable: whyNotJson(text, header(exchange, 'content-encoding')) };
  if (!isRecord(json)) return { status, unusable: brief(json, 80) };
  const error = member(json, 'error', 'code');
  if (error !== undefined) return { status, error };
  if (json.ok === false) return { status, ok: false, code: json.code };
  return json.ok === true ? { status, ok: true, result: json.status } : { status, ok: json.ok };
}

/** Starts of compressed bodies (RFC 1952 and RFC 8878), decoded as UTF-8. */
const compressedStarts = new Map([
  ['gzip', '\u001f\ufffd'],
  ['zstd', '(\ufffd/\ufffd'],
]);

/** Describes a body that is not JSON. Does not quote the body, because its text may differ in every response. */
function whyNotJson(text: string, coding: string | undefined): string {
  if (text.startsWith('\ufeff')) return 'a body that begins with a byte order mark, which is not JSON';
  if (/^\s*</.test(text)) return 'a page of HTML or XML instead of JSON';
  if (/^\s*[[{]/.test(text)) return 'a body that begins like JSON and does not parse';
  return whyCoded(text, coding) ?? 'a body that is not JSON';
}

function whyCoded(text: string, coding: string | undefined): string | undefined {
  if (coding !== undefined) return `a body with the content coding ${brief(coding, 40)}, which is not JSON`;
  const [name] = [...compressedStarts].find(([, start]) => text.startsWith(start)) ?? [];
  return name && `a body compressed with ${name} and no header Content-Encoding`;
}

/** Returns the change to make if a body is still coded, whatever it violates; undefined for other bodies. */
export function codingHint(exchange: Completed): string | undefined {
  const { text, json, unread } = exchange.response;
  const isText = unread !== undefined || json !== undefined || text === '' || /^\s*[<[{\ufeff]/.test(text);
  if (isText || whyCoded(text, header(exchange, 'content-encoding')) === undefined) return undefined;
  return 'Send the body without a content coding, or with one that clients know and that Content-Encoding names.';
}

/**
 * What a place may hold: one of some texts, where undefined means that it may be absent; a non-empty text; a whole
 * number in a header; a JSON type; an array of at least so many elements; issues, if any, that name a field; whatever
 * the published description allows there; or a value for which a condition holds.
 */
export type Want =
  | { readonly oneOf: readonly unknown[] }
  | { readonly least: number }
  | { readonly type: 'integer' | 'number' | 'string' | 'boolean' }
  | { readonly elements: number }
  | { readonly names: string; readonly by: NamedBy }
  | { readonly fits: SchemaName }
  | { readonly words: string; holds(value: unknown): boolean | string }
  | 'text';

/** What the response as a whole may be: the outcome of a tool, or an error response. An absent code may be any. */
export type WantedOutcome =
  | { readonly status: 200; readonly ok: boolean; readonly code?: string | undefined }
  | { readonly status: number; readonly error?: readonly string[] | undefined };

/** A pattern of allowed responses, as data. */
export type Answer =
  | { readonly at: Place; readonly want: Want }
  | { readonly at: 'response'; readonly want: WantedOutcome };

export type Answers = readonly Answer[];

/** How a response differs from an allowed answer: the value at the place, undefined if absent, or the outcome. */
export type Mismatch =
  | { readonly at: Place; readonly want: PlainWant; readonly got: unknown }
  | { readonly at: 'response'; readonly want: WantedOutcome; readonly got: unknown }
  | Told;

/** A want that a mismatch shows as it is. */
export type PlainWant = Exclude<Want, { fits: unknown } | { holds: unknown }>;

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
export function check(answers: Answers, exchange: Completed): Mismatch | undefined {
  for (const answer of answers) {
    if (answer.at === 'response') {
      if (!allows(answer.want, exchange)) return { ...answer, got: outcomeOf(exchange) };
    } else {
      const difference = differenceAt(answer, exchange);
      if (difference !== undefined) return difference;
    }
  }
  return undefined;
}

function allows(want: WantedOutcome, exchange: Completed): boolean {
  const { status, json } = exchange.response;
  if (!('ok' in want)) {
    const code = member(json, 'error', 'code');
    return status === want.status && (want.error === undefined || want.error.some((allowed) => allowed === code));
  }
  const { ok, code } = body(exchange);
  if (!isOutcomeStatus(status) || ok !== want.ok) return false;
  return want.ok || (want.code === undefined ? typeof code === 'string' : code === want.code);
}

function differenceAt(answer: Extract<Answer, { at: Place }>, exchange: Completed): Mismatch | undefined {
  const { at, want } = answer;
  if (typeof want === 'object' && 'fits' in want)
    return 'member' in at ? unfit(exchange, want.fits, at.member.join('.')) : undefined;
  const got = valueAt(at, exchange);
  if (typeof want === 'object' && 'holds' in want) {
    const held = want.holds(got);
    if (held === true) return undefined;
    const place = 'member' in at ? at.member.join('.') : at.header;
    return { at, got, expected: `${place} ${want.words}`, actual: held || `${place} ${brief(got)}` };
  }
  return fits(want, got) ? undefined : { at, want, got };
}

function valueAt(at: Place, exchange: Completed): unknown {
  return 'header' in at ? header(exchange, at.header) : member(exchange.response.json, ...at.member);
}

function fits(want: PlainWant, got: unknown): boolean {
  if (want === 'text') return typeof got === 'string' && got !== '';
  if ('oneOf' in want) return want.oneOf.some((value) => value === got);
  if ('least' in want) return typeof got === 'string' && /^\d+$/.test(got) && Number(got) >= want.least;
  if ('elements' in want) return Array.isArray(got) && got.length >= want.elements;
  if ('names' in want) return mayName(got, want.names, want.by);
  return want.type === 'integer' ? Number.isInteger(got) : typeof got === want.type;
}

/** A difference from what words describe better than data. */
export interface Told {
  readonly at: { readonly member: readonly string[] } | { readonly header: string };
  /** The keyword of the schema that excludes the value. */
  readonly want?: { readonly schema: string };
  readonly got?: unknown;
  readonly expected: string;
  readonly actual: string;
}

/** Most members to list if one is missing. */
const membersNamed = 12;

/**
 * Validates one member of the body, `field`, against the OpenAPI description. Returns undefined if the member is valid.
 * Errors elsewhere in the body belong to other requirements.
 */
export function unfit(exchange: Completed, schema: SchemaName, field: string): Told | undefined {
  const validate = validators[schema];
  if (validate(exchange.response.json)) return undefined;
  const concerning = (validate.errors ?? []).filter(
    ({ instancePath, params }) =>
      instancePath === `/${field}` ||
      instancePath.startsWith(`/${field}/`) ||
      (instancePath === '' && params.missingProperty === field),
  );
  const [error] = concerning;
  if (error === undefined) return undefined;
  const value = valueBehind(exchange.response.json, error.instancePath);
  if (error.keyword === 'required') {
    const name = String(error.params.missingProperty);
    const within = placeOf(error.instancePath) || 'the body';
    const members = isRecord(value) ? Object.keys(value).slice(0, membersNamed).join(', ') : '';
    const actual = `no ${name} in ${within}, which has ${members === '' ? 'no member' : members}`;
    const path = placeOf(`${error.instancePath}/${name}`, true);
    const want = { schema: 'required' };
    return { at: { member: [path] }, want, expected: `${path} to be present`, actual };
  }
  const here = concerning.filter(({ instancePath }) => instancePath === error.instancePath);
  const path = placeOf(error.instancePath, true);
  const expected = `${path} to be ${wanted(here)}`;
  const actual = `${placeOf(error.instancePath)} ${brief(value)}`;
  return { at: { member: [path] }, want: { schema: error.keyword }, got: value, expected, actual };
}

function valueBehind(root: unknown, pointer: string): unknown {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<unknown>((at, step) => (Array.isArray(at) ? at[Number(step)] : member(at, step)), root);
}

/** Samples that identify patterns of the OpenAPI description, and the words for these patterns. */
const samples: readonly (readonly [sample: string, words: string])[] = [
  ['2027-01-05T09:00:00Z', 'an ISO 8601 date and time in UTC (such as 2027-01-05T09:00:00Z)'],
  ['2027-01-05', 'a date as YYYY-MM-DD'],
];

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

/** Describes what the errors of a validator at one place require, as a phrase after "to be". */
export function wanted(errors: readonly ValidationError[]): string {
  const alternatives = errors.some(isChoice);
  const single = errors.filter((error) => !isChoice(error));
  // A constant or an enum implies the type.
  const values = single.filter(({ keyword }) => keyword === 'const' || keyword === 'enum');
  const telling = alternatives || values.length === 0 ? single : values;
  const words = [...new Set(telling.map(wantedBy))];
  return words.join(alternatives ? ' or ' : ' and ') || 'as the published description says';
}

function isChoice({ keyword }: ValidationError): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf';
}

function wantedBy({ keyword, params, message }: ValidationError): string {
  switch (keyword) {
    case 'type':
      return [params.type]
        .flat()
        .map((type) => types[String(type)] ?? String(type))
        .join(' or ');
    case 'pattern':
      return textLike(String(params.pattern));
    case 'enum':
      return Array.isArray(params.allowedValues) ? params.allowedValues.map((value) => brief(value)).join(' or ') : '';
    case 'const':
      return brief(params.allowedValue);
    case 'minimum':
      return `at least ${String(params.limit)}`;
    case 'minLength':
      return params.limit === 1 ? 'a non-empty string' : `at least ${String(params.limit)} characters long`;
    case 'minItems':
      return params.limit === 1 ? 'a non-empty array' : `at least ${String(params.limit)} entries long`;
    default:
      return `as the published description says (${message ?? keyword})`;
  }
}

function textLike(pattern: string): string {
  const known = samples.find(([sample]) => new RegExp(pattern).test(sample));
  return known?.[1] ?? `a string that matches ${pattern}`;
}

/** Converts a JSON pointer to the notation of programs: `items[0].pinned`. With `any`, omits the indexes. */
export function placeOf(pointer: string, any = false): string {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step, index) => (/^\d+$/.test(step) ? `[${any ? '' : step}]` : `${index === 0 ? '' : '.'}${step}`))
    .join('');
}
