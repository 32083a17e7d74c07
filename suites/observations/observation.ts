import type { QuestionId } from '../../fixtures/open-questions.ts';
import { body, type Completed, type Exchange, isCompleted, isRefusal, isSuccess } from '../exchange/exchange.ts';
import type { History } from '../exchange/history.ts';
import { mayComeFromIntermediary } from '../exchange/intermediaries.ts';
import { isRecord, member, truncated } from '../json.ts';

/** Answer to an open question, with the exchanges that show it. */
export type Observation = readonly [value: unknown, ...exchanges: Completed[]];

/** Answers one open question from a history; empty if the history does not show the answer. */
export type Answer = (history: History) => Observation[];

export type Answers = Readonly<Partial<Record<QuestionId, Answer>>>;

/** Maximum length of a text that an observation quotes. */
const mostCharacters = 120;

/** Returns every response of the API to an ordinary request, whatever its status. */
export function everything({ exchanges }: History): Completed[] {
  const isOfApi = (exchange: Completed) => exchange.response.unread === undefined && !mayComeFromIntermediary(exchange);
  return exchanges.filter(isCompleted).filter((exchange) => !exchange.odd && isOfApi(exchange));
}

/** Returns every response of the API to an ordinary request, except 429. */
export function recorded(history: History): Completed[] {
  return everything(history).filter(({ response }) => response.status !== 429);
}

/** Returns the exchanges that were sent for a question, with or without a response. */
export function sentFor({ exchanges }: History, question: QuestionId): Exchange[] {
  return exchanges.filter(({ observes, response }) => observes?.question === question && response?.status !== 429);
}

/**
 * Returns each different value once, with the first exchange that shows it. The order does not depend on the exchanges.
 */
export function distinct(other: readonly Observation[]): Observation[] {
  const firsts = new Map<string, Observation>();
  for (const one of other) if (!firsts.has(String(one[0]))) firsts.set(String(one[0]), one);
  return [...firsts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** Answers with a value of each response to the requests for a question. */
export const valueOfEach = (question: QuestionId, value: (one: Completed) => unknown): Answers => ({
  [question]: (history: History) =>
    sentFor(history, question)
      .filter(isCompleted)
      .map((one): Observation => [value(one), one]),
});

/** Answers with the first response to the requests for a question that tells the most, or else with the last one. */
export const valueOfMostTelling = (
  question: QuestionId,
  tells: (one: Completed) => boolean,
  value: (one: Completed) => unknown,
): Answers => ({
  [question]: (history: History) => {
    const sent = sentFor(history, question).filter(isCompleted);
    const one = sent.find(tells) ?? sent.at(-1);
    return one === undefined ? [] : [[value(one), one]];
  },
});

/** Answers with the different values of the selected exchanges. */
export const distinctValues =
  (selects: (one: Completed, history: History) => boolean, valuesOf: (one: Completed) => readonly unknown[]): Answer =>
  (history) =>
    distinct(
      recorded(history)
        .filter((one) => selects(one, history))
        .flatMap((one) => valuesOf(one).map((value): Observation => [value, one])),
    );

/** Describes a response as briefly as possible: `accepted`, `refused with CODE`, `HTTP 405`. */
export function outcome(exchange: Completed): string {
  if (isSuccess(exchange)) return 'accepted';
  if (isRefusal(exchange)) return `refused with ${short(body(exchange).code)}`;
  const code = member(exchange.response.json, 'error', 'code');
  return code === undefined ? `HTTP ${exchange.response.status}` : `HTTP ${exchange.response.status} ${short(code)}`;
}

/** Returns a value of the deployment as text, shortened if necessary. */
export function short(value: unknown): string {
  return truncated(typeof value === 'string' ? value : (JSON.stringify(value) ?? '(missing)'), mostCharacters);
}

/** Returns the distinct names of the objects' fields. Other values are represented by their type. */
export function fieldNames(things: readonly unknown[]): string[] {
  const names = things.flatMap((thing) => (isRecord(thing) ? Object.keys(thing) : [`(${typeOf(thing)})`]));
  return [...new Set(names)].map(short);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Returns the elements of an array; empty for any other value. */
export function elements(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
