import { type Completed, header } from '../exchange/exchange.ts';
import { brief, isRecord, member } from '../json.ts';

/** The response as a whole, as far as it decides: the status, and the members that say what the tool did. */
interface Outcome {
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
