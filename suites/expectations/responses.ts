import { type Completed, isOutcomeStatus } from '../history/exchange.ts';
import { isRecord } from '../json.ts';
import { type Answers, check, outcomeOf, refusal, success } from '../model/answers.ts';
import { inWords, outcomeInWords } from '../model/words.ts';
import { oddityOf } from '../situations/oddity.ts';
import type { Finding } from './finding.ts';

/** Describes a response in a few words: its status and its outcome. */
export const describe = (exchange: Completed): string => outcomeInWords(outcomeOf(exchange));

/** A finding about the response as a whole. `want` is what the specification allows, as data. */
export function wrongOutcome(exchange: Completed, want: Finding['want'], expected: string, hint: string): Finding {
  const got = outcomeOf(exchange);
  return { at: 'response', want, got, expected, actual: outcomeInWords(got), hint, exchanges: [exchange] };
}

/** Returns a finding if the response is none of the allowed answers. */
export function allowed(exchange: Completed, answers: Answers, hint: string): Finding | undefined {
  const mismatch = check(answers, exchange);
  return mismatch && { ...mismatch, ...inWords(mismatch), hint, exchanges: [exchange] };
}

/** Expects a successful result: 200 with `ok` true. */
export const succeeds = (exchange: Completed, hint: string) => allowed(exchange, [success], hint);

/** Expects a refusal: 200 with `ok` false and this code (default: any string). */
export const refuses = (exchange: Completed, code: string | undefined, hint: string) =>
  allowed(exchange, [refusal(code)], hint);

/** Expects a status below 500. */
export function belowServerError(exchange: Completed): Finding | undefined {
  if (exchange.response.status < 500) return undefined;
  const hint = 'Find the unhandled error of this request: the specification describes a response even to bad input.';
  const finding = wrongOutcome(exchange, { below: 500 }, 'a status below 500', hint);
  const oddity = oddityOf(exchange.request);
  if (oddity === undefined) return finding;
  return { ...finding, got: { ...outcomeOf(exchange), for: oddity }, actual: `${finding.actual} for ${oddity}` };
}

/** Expects a response that the specification allows for all arguments: a result, a refusal, or a 400 for the body. */
export function outcomeOrMalformed(exchange: Completed, hint: string): Finding | undefined {
  const { status, json } = exchange.response;
  if ((isOutcomeStatus(status) || status === 400) && isRecord(json)) return undefined;
  const expected = 'HTTP 200 with a result or a refusal, or HTTP 400';
  return wrongOutcome(exchange, { oneOf: [{ status: 200 }, { status: 400 }] }, expected, hint);
}

/** Expects a header with exactly this value. */
export const carries = (exchange: Completed, name: string, value: string, hint: string) =>
  allowed(exchange, [{ at: { header: name }, want: { oneOf: [value] } }], hint);
