import { body, type Completed, header } from '../history/exchange.ts';
import { isRecord, member } from '../json.ts';
import { type Mismatch, outcomeOf } from '../model/answers.ts';
import { inWords, outcomeInWords } from '../model/words.ts';
import { isOutcomeStatus } from '../outcome-status.ts';
import type { Finding } from './finding.ts';

/** Describes a response in a few words: its status and its outcome. */
export const describe = (exchange: Completed): string => outcomeInWords(outcomeOf(exchange));

/** A finding about the response as a whole. `want` is what the specification allows, as data. */
function wrongOutcome(exchange: Completed, want: Finding['want'], expected: string, hint: string): Finding {
  const got = outcomeOf(exchange);
  return { at: 'response', want, got, expected, actual: outcomeInWords(got), hint, exchanges: [exchange] };
}

/** Expects a successful result: 200 with `ok` true. */
export function succeeds(exchange: Completed, hint: string): Finding | undefined {
  if (isOutcomeStatus(exchange.response.status) && body(exchange).ok === true) return undefined;
  return wrongOutcome(exchange, { status: 200, ok: true }, 'HTTP 200 with ok true', hint);
}

/** Expects a refusal: 200 with `ok` false and this code (default: any string). */
export function refuses(exchange: Completed, code: string | undefined, hint: string): Finding | undefined {
  const { ok, code: actual } = body(exchange);
  const coded = code === undefined ? typeof actual === 'string' : actual === code;
  if (isOutcomeStatus(exchange.response.status) && ok === false && coded) return undefined;
  const expected = `HTTP 200 with ok false, code ${code === undefined ? '(any string)' : JSON.stringify(code)}`;
  return wrongOutcome(exchange, { status: 200, ok: false, code }, expected, hint);
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
  return wrongOutcome(exchange, { status, error: codes }, `HTTP ${status}${which}`, hint);
}

/** Expects a status below 500. */
export function belowServerError(exchange: Completed): Finding | undefined {
  if (exchange.response.status < 500) return undefined;
  const hint = 'Find the unhandled error of this request: the specification describes a response even to bad input.';
  return wrongOutcome(exchange, { below: 500 }, 'a status below 500', hint);
}

/** Expects a response that the specification allows for all arguments: a result, a refusal, or a 400 for the body. */
export function outcomeOrMalformed(exchange: Completed, hint: string): Finding | undefined {
  const { status, json } = exchange.response;
  if ((isOutcomeStatus(status) || status === 400) && isRecord(json)) return undefined;
  const expected = 'HTTP 200 with a result or a refusal, or HTTP 400';
  return wrongOutcome(exchange, { oneOf: [{ status: 200 }, { status: 400 }] }, expected, hint);
}

/** Expects a header with exactly this value. */
export function carries(exchange: Completed, name: string, value: string, hint: string): Finding | undefined {
  const actual = header(exchange, name);
  if (actual === value) return undefined;
  const mismatch: Mismatch = { at: { header: name }, want: { oneOf: [value] }, got: actual };
  return { ...mismatch, ...inWords(mismatch), hint, exchanges: [exchange] };
}
