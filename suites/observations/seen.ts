import type { QuestionId } from '../../fixtures/open-questions.ts';
import { type Role, roles } from '../../fixtures/roles.ts';
import type { Context } from '../engine/context.ts';
import { type Answered, body, isRefusal, isSuccess } from '../exchange.ts';
import { isRecord, member } from '../json.ts';
import { Unanswered } from '../session/call.ts';

/** The longest text of a deployment that stands in an observation. */
const mostCharacters = 120;

/** Every answer of the run so far that was no experiment and not held back by a cap. */
export function recorded(t: Context): Answered[] {
  return everything(t).filter(({ answer }) => answer.status !== 429);
}

/** Same, answers over a cap included. */
export function everything(t: Context): Answered[] {
  return t.session.exchanges.filter(
    (exchange): exchange is Answered => exchange.answer !== null && !exchange.request.odd,
  );
}

/** Successful results of one tool. */
export function resultsOf(t: Context, tool: string): Answered[] {
  return recorded(t).filter((exchange) => exchange.request.tool === tool && isSuccess(exchange));
}

/** An answer in the fewest words that tell it from others: `accepted`, `refused with CODE`, `HTTP 405`. */
export function outcome(answer: Answered): string {
  if (isSuccess(answer)) return 'accepted';
  if (isRefusal(answer)) return `refused with ${short(body(answer).code)}`;
  const code = member(answer.answer.json, 'error', 'code');
  return code === undefined ? `HTTP ${answer.answer.status}` : `HTTP ${answer.answer.status} ${short(code)}`;
}

/** The outcome of a call, also where it got no answer. */
export async function outcomeOf(call: Promise<Answered>): Promise<{ told: string; exchanges: Answered[] }> {
  try {
    const answer = await call;
    return { told: outcome(answer), exchanges: [answer] };
  } catch (error) {
    if (error instanceof Unanswered) return { told: 'no answer', exchanges: [] };
    throw error;
  }
}

/** Notes the outcome of each call under its name, in the order given. */
export async function noteOutcomes(
  t: Context,
  id: QuestionId,
  calls: readonly (readonly [name: string, call: Promise<Answered>])[],
): Promise<void> {
  const outcomes = await Promise.all(calls.map(([, call]) => outcomeOf(call)));
  for (const [index, { told, exchanges }] of outcomes.entries())
    t.observe(id, `${calls[index]?.[0]}: ${told}`, ...exchanges);
}

/** Notes each different text once, with the first exchange that shows it; sorted, since exchanges come in any order. */
export function noteEach(
  t: Context,
  id: QuestionId,
  told: Iterable<readonly [text: string, exchange: Answered]>,
): void {
  const first = new Map<string, Answered>();
  for (const [text, exchange] of told) if (!first.has(text)) first.set(text, exchange);
  for (const [text, exchange] of [...first].sort(([a], [b]) => (a < b ? -1 : 1))) t.observe(id, text, exchange);
}

/** A deployment's own value as text, not too long. */
export function short(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)}…`;
}

/** Names of the fields of things, each told once; what is no object is told by its type. */
export function fieldNames(things: readonly unknown[]): string[] {
  return [...new Set(things.flatMap((thing) => (isRecord(thing) ? Object.keys(thing) : [`(${typeOf(thing)})`])))].map(
    short,
  );
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The elements of an array; none where it is no array. */
export function elements(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A role whose key needs no argument to find its workspace, as far as roles tell; otherwise `primary`. */
export function roleThatResolves(t: Context): Role {
  return roles.find((role) => ['pinned', 'defaulted', 'sole'].includes(role) && t.has(role)) ?? 'primary';
}
