import { responseHeaders } from '../../fixtures/contract/headers.ts';
import { body, type Completed, type Exchange, isCompleted, type Response } from '../exchange/exchange.ts';
import type { History } from '../exchange/history.ts';
import { isRecord, type JsonRecord } from '../json.ts';
import type { Finding } from './finding.ts';
import { judge } from './judge/judge.ts';
import { evidenceOf, isConclusive } from './judge/response-evidence.ts';
import type { Rule } from './rule.ts';

/** A response that violates a requirement, made from a conforming one to the same request. */
export interface Violation {
  readonly finding: Finding;
  readonly violating: Exchange;
  readonly conforming: Completed;
  /** The history with the violating exchange in place of the conforming one. */
  readonly history: History;
}

/** Most exchanges to try. Later ones of a requirement hardly differ from the first. */
const mostTried = 6;

/**
 * Returns a violation of a requirement by a small change to one response of a conforming history: to one of the
 * exchanges that witness the requirement. Returns undefined if no such change violates it.
 */
export function violationOf(rule: Rule, history: History, witnesses: readonly Completed[]): Violation | undefined {
  for (const conforming of witnesses.slice(0, mostTried)) {
    for (const violating of changesOf(conforming, history)) {
      const exchanges = history.exchanges.map((each) => (each === conforming ? violating : each));
      const changed = { ...history, exchanges };
      const [judgement] = judge([rule], changed);
      const [finding] = [...(judgement?.findings ?? []), ...(judgement?.unconfirmed ?? [])];
      if (finding !== undefined) return { finding, violating, conforming, history: changed };
    }
  }
  return undefined;
}

/** The exchanges that a rule judges. */
export function witnessesOf(rule: Rule, history: History): Completed[] {
  const witnesses = new Set<Completed>();
  const observed: Rule['judge'] = (exchange, seen) => {
    const finding = rule.judge(exchange, seen);
    const isJudged = isCompleted(exchange) && isConclusive(rule, evidenceOf(exchange, seen.knowledge));
    if (isJudged && finding !== undefined) witnesses.add(exchange);
    return finding;
  };
  judge([{ ...rule, judge: observed }], history);
  return [...witnesses];
}

/** The exchange with other responses: first those of other requests, then with small changes, then without any. */
function* changesOf(exchange: Completed, history: History): Generator<Exchange> {
  const { response } = exchange;
  const having = (changed: Partial<Response>): Exchange => ({ ...exchange, response: { ...response, ...changed } });
  // The name of the tool, which some responses must not contain.
  const word = exchange.request.tool ?? 'other';
  const others = history.exchanges.filter(isCompleted).filter((each) => each !== exchange);
  const outcome = (each: Completed) => JSON.stringify([each.response.status, body(each).ok, body(each).status]);
  const byOutcome = new Map(
    others.filter(({ request }) => request.tool === exchange.request.tool).map((each) => [outcome(each), each]),
  );
  for (const [text, other] of [...byOutcome].toReversed()) if (text !== outcome(exchange)) yield having(other.response);
  if (isRecord(response.json)) {
    for (const json of changedMembers(response.json, word, others)) yield having({ json, text: JSON.stringify(json) });
  }
  for (const [name, value] of response.headers) {
    const others = response.headers.filter(([other]) => other !== name);
    yield having({ headers: others });
    yield having({ headers: [...others, [name, `other-${value}`]] });
  }
  yield having({ headers: [...response.headers, [responseHeaders.toolError, 'true']] });
  yield having({ headers: [...response.headers, ['x-reason', word]] });
  for (const status of [200, 400, 401, 403, 404, 422, 500]) yield having({ status });
  yield having({ text: `[${response.text}]`, json: [response.json] });
  yield { ...exchange, response: null, closedInARow: 3, problem: 'the server closed the connection' };
}

/** The object with one change to a member, or to a member of a member. */
function* changedMembers(
  object: JsonRecord,
  word: string,
  others: readonly Completed[],
  depth = 0,
): Generator<JsonRecord> {
  for (const [name, value] of Object.entries(object)) {
    const { [name]: _, ...rest } = object;
    yield rest;
    for (const changed of changedValues(value, word, [...new Set(others.map((other) => body(other)[name]))]))
      yield { ...object, [name]: changed };
    const [first, ...more] = Array.isArray(value) ? value : [value];
    if (depth === 2 || !isRecord(first)) continue;
    for (const changed of changedMembers(first, word, [], depth + 1)) {
      yield { ...object, [name]: Array.isArray(value) ? [changed, ...more] : changed };
    }
  }
  yield { ...object, other: true };
  yield { ...object, retry_after_seconds: 1 };
  yield { ...object, ok: true, status: 'dispatched', run_id: word, confirmation_id: null };
}

/** @param others values of the member in other responses: not new, or of another place */
function* changedValues(value: unknown, word: string, others: readonly unknown[]): Generator<unknown> {
  if (typeof value === 'boolean') yield !value;
  if (typeof value === 'number') yield* [value + 1, value - 1, value * 2, String(value)];
  if (typeof value === 'string') yield* [`${value} ${word}`, value.toUpperCase(), 1];
  if (Array.isArray(value)) yield* [[], value.toReversed(), [...value, value[0]], value.slice(1), value.map(String)];
  yield* [null, {}];
  yield* others.filter((other) => other !== undefined && other !== value).slice(0, 8);
}
