import type { QuestionId } from '../../fixtures/open-questions.ts';
import { body, type Completed, type Exchange, isCompleted, isRefusal, isSuccess } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { mayComeFromIntermediary } from '../history/intermediaries.ts';
import { isRecord, member } from '../json.ts';

/** A value that answers an open question, with the exchanges that show it. */
export type Told = readonly [value: unknown, ...exchanges: Completed[]];

/** Answers one open question from a history; nothing where the history does not tell. */
export type Answer = (history: History) => Told[];

/** The longest text of a deployment that stands in an observation. */
const mostCharacters = 120;

/** Every response of the API that is no experiment, whatever its status. */
export function everything({ exchanges }: History): Completed[] {
  const isOfApi = (exchange: Completed) => exchange.response.unread === undefined && !mayComeFromIntermediary(exchange);
  return exchanges.filter(isCompleted).filter((exchange) => !exchange.odd && isOfApi(exchange));
}

/** Same, without responses over a rate limit. */
export function recorded(history: History): Completed[] {
  return everything(history).filter(({ response }) => response.status !== 429);
}

/** Successful results of one tool. */
export function resultsOf(history: History, tool: string): Completed[] {
  return recorded(history).filter((exchange) => exchange.request.tool === tool && isSuccess(exchange));
}

/** The exchanges that were sent for a question, whether they got a response or not. */
export function sentFor({ exchanges }: History, question: QuestionId): Exchange[] {
  return exchanges.filter(({ observes, response }) => observes?.question === question && response?.status !== 429);
}

/** The outcome of each request that was sent for a question, under the name of what it tried. */
export function outcomes(question: QuestionId): Answer {
  return (history) =>
    sentFor(history, question).map((exchange): Told => {
      const what = exchange.observes?.what === '' ? '' : `${exchange.observes?.what}: `;
      return isCompleted(exchange) ? [`${what}${outcome(exchange)}`, exchange] : [`${what}no response`];
    });
}

/** Each different value once, with the first exchange that shows it, sorted: exchanges come in any order. */
export function each(told: readonly Told[]): Told[] {
  const firsts = new Map<string, Told>();
  for (const one of told) if (!firsts.has(String(one[0]))) firsts.set(String(one[0]), one);
  return [...firsts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** A response in the fewest words that tell it from others: `accepted`, `refused with CODE`, `HTTP 405`. */
export function outcome(exchange: Completed): string {
  if (isSuccess(exchange)) return 'accepted';
  if (isRefusal(exchange)) return `refused with ${short(body(exchange).code)}`;
  const code = member(exchange.response.json, 'error', 'code');
  return code === undefined ? `HTTP ${exchange.response.status}` : `HTTP ${exchange.response.status} ${short(code)}`;
}

/** A deployment's own value as text, not too long. */
export function short(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '(missing)');
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)}\u2026`;
}

/** Names of the fields of things, each once; what is no object is told by its type. */
export function fieldNames(things: readonly unknown[]): string[] {
  const names = things.flatMap((thing) => (isRecord(thing) ? Object.keys(thing) : [`(${typeOf(thing)})`]));
  return [...new Set(names)].map(short);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The elements of an array; none where it is no array. */
export function elements(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
