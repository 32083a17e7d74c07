import { body, type Completed, header } from '../history/exchange.ts';
import { brief, isRecord, member } from '../json.ts';
import { isOutcomeStatus } from '../outcome-status.ts';
import type { Finding } from './finding.ts';

/** Describes a response in a few words: its status and its outcome. */
export function describe(exchange: Completed): string {
  const { status, json, unread, text } = exchange.response;
  const start = `HTTP ${status}`;
  if (unread !== undefined) return `${start} with ${unread}`;
  if (text === '') return `${start} with an empty body`;
  if (json === undefined) return `${start} with ${whyNotJson(text)}`;
  if (!isRecord(json)) return `${start} with ${brief(json, 80)}`;
  const code = member(json, 'error', 'code');
  if (code !== undefined) return `${start} with error code ${brief(code, 80)}`;
  if (json.ok === false) return `${start} with ok false, code ${brief(json.code, 80)}`;
  if (json.ok === true) {
    const outcome = json.status === undefined ? '' : `, status ${brief(json.status, 80)}`;
    return `${start} with ok true${outcome}`;
  }
  return `${start} with ok ${brief(json.ok, 80)}`;
}

/** Describes a body that is not JSON. Does not quote the body, because its text may differ in every response. */
function whyNotJson(text: string): string {
  if (text.startsWith('\ufeff')) return 'a body that begins with a byte order mark, which is not JSON';
  if (/^\s*</.test(text)) return 'a page of HTML or XML instead of JSON';
  if (/^\s*[[{]/.test(text)) return 'a body that begins like JSON and does not parse';
  return 'a body that is not JSON';
}

/** Expects a successful result: 200 with `ok` true. */
export function succeeds(exchange: Completed, hint: string): Finding | undefined {
  if (isOutcomeStatus(exchange.response.status) && body(exchange).ok === true) return undefined;
  return { expected: 'HTTP 200 with ok true', actual: describe(exchange), hint, exchanges: [exchange] };
}

/** Expects a refusal: 200 with `ok` false and this code (default: any string). */
export function refuses(exchange: Completed, code: string | undefined, hint: string): Finding | undefined {
  const { ok, code: actual } = body(exchange);
  const coded = code === undefined ? typeof actual === 'string' : actual === code;
  if (isOutcomeStatus(exchange.response.status) && ok === false && coded) return undefined;
  return {
    expected: `HTTP 200 with ok false, code ${code === undefined ? '(any string)' : JSON.stringify(code)}`,
    actual: describe(exchange),
    hint,
    exchanges: [exchange],
  };
}

/** Expects an error response with this status and one of these codes (default: any code). */
export function boundaryError(
  exchange: Completed,
  status: number,
  codes: readonly string[] | undefined,
  hint: string,
): Finding | undefined {
  const code = member(exchange.response.json, 'error', 'code');
  const coded = codes === undefined || (typeof code === 'string' && codes.includes(code));
  if (exchange.response.status === status && coded) return undefined;
  const which = codes === undefined ? '' : ` with error code ${codes.map((code) => JSON.stringify(code)).join(' or ')}`;
  return { expected: `HTTP ${status}${which}`, actual: describe(exchange), hint, exchanges: [exchange] };
}

/** Expects a status below 500. */
export function belowServerError(exchange: Completed): Finding | undefined {
  if (exchange.response.status < 500) return undefined;
  return {
    expected: 'a status below 500',
    actual: describe(exchange),
    hint: 'Find the unhandled error of this request: the specification describes a response even to bad input.',
    exchanges: [exchange],
  };
}

/** Expects a response that the specification allows for all arguments: a result, a refusal, or a 400 for the body. */
export function outcomeOrMalformed(exchange: Completed, hint: string): Finding | undefined {
  const { status, json } = exchange.response;
  if ((isOutcomeStatus(status) || status === 400) && isRecord(json)) return undefined;
  return {
    expected: 'HTTP 200 with a result or a refusal, or HTTP 400',
    actual: describe(exchange),
    hint,
    exchanges: [exchange],
  };
}

/** Expects a header with exactly this value. */
export function carries(exchange: Completed, name: string, value: string, hint: string): Finding | undefined {
  const actual = header(exchange, name);
  if (actual === value) return undefined;
  return {
    expected: `${name}: ${value}`,
    actual: actual === undefined ? `no header ${name}` : `${name}: ${actual}`,
    hint,
    exchanges: [exchange],
  };
}
