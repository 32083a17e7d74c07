import { isDeepStrictEqual } from 'node:util';
import { type Exchange, isCompleted, isRefusal } from '../../history/exchange.ts';
import { confirmationOf, isProposal } from '../match/client-requests.ts';
import { placeholders } from '../seen/client-memory.ts';
import { presentedId } from '../seen/ids.ts';
import type { Seen } from '../seen/seen.ts';

/** Where a client has an argument from. */
const sources: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'library.get': { kind: 'library.search', id: 'library.search' },
  'content.create_request': { day: 'schedule.read' },
};

/** A value that a client uses although it never got one, with the refusal that it took for a result. */
export interface NeverGot {
  readonly name: string;
  readonly value: unknown;
  readonly refusal: Exchange;
}

/** What a request takes from a response that was a refusal; undefined where all that it uses may have been given. */
export function neverGot(exchange: Exchange, seen: Seen): NeverGot | undefined {
  const unconfirmed = confirmsWithout(exchange, seen);
  if (unconfirmed !== undefined) return { name: 'confirmation_id', value: undefined, refusal: unconfirmed };
  const { tool, args } = exchange.request;
  if (seen.client.mayKnowMore || tool === null || args === null) return undefined;
  const names = new Set([...Object.keys(args), ...Object.keys(sources[tool] ?? {})]);
  for (const name of names) {
    const value = args[name];
    if (name !== 'confirmation_id' && !isMissing(value, sources[tool]?.[name])) continue;
    // What it sends where nothing is refused, it means.
    if (seen.earlier.runs.some(({ kind, words }) => kind === 'plain' && words.has(value))) continue;
    if (name === 'confirmation_id' && wasGiven(exchange, seen)) continue;
    const refusal = refusedBefore(exchange, name === 'confirmation_id' ? tool : sources[tool]?.[name], seen);
    if (refusal !== undefined) return { name, value, refusal };
  }
  return undefined;
}

/**
 * The refused proposal that a client took for a good one: it sends the same again, as a confirmation whose id is not
 * there, and ends as if all was well.
 */
function confirmsWithout(exchange: Exchange, seen: Seen): Exchange | undefined {
  const {
    knowledge,
    earlier: { runs },
  } = seen;
  const confirms = runs.some(({ kind, confirms: usual }) => kind === 'plain' && usual);
  if (!confirms || knowledge.run?.exitCode !== 0 || !isProposal(exchange)) return undefined;
  const refusal = refusedBefore(exchange, 'images.generate', seen);
  // The workspace may be one that the result was to tell.
  const asked = ({ request: { args } }: Exchange) => ({ ...args, workspace: undefined });
  return refusal !== undefined && isDeepStrictEqual(asked(refusal), asked(exchange)) ? refusal : undefined;
}

/** Whether a value that other responses give is missing: where not all of them are known, nobody can tell why. */
export function mayLackResult(exchange: Exchange, { client }: Seen): boolean {
  const { tool, args } = exchange.request;
  if (!client.mayKnowMore || tool === null || args === null) return false;
  const own = { ...sources[tool], ...('confirmation_id' in args ? { confirmation_id: tool } : {}) };
  return Object.entries(own).some(([name, source]) => isMissing(args[name], source));
}

/** An argument that a client takes from a result may also be left out where the result is missing. */
const isMissing = (value: unknown, source: string | undefined) =>
  placeholders.includes(value) || (source !== undefined && (value === undefined || value === null || value === ''));

/** Whether the id that a request presents may have come from a response. */
function wasGiven(exchange: Exchange, { ids, earlier }: Seen): boolean {
  const id = confirmationOf(exchange);
  if (id === undefined) return true;
  if (typeof id !== 'string') return false;
  return ids.wasIssued(id) !== false || earlier.ids.has(id) || ids.resembled(id) !== undefined;
}

/** The refusal that was the last outcome of a tool, or of any where it is not known which one gives the value. */
function refusedBefore(exchange: Exchange, tool: string | undefined, { client }: Seen): Exchange | undefined {
  const [latest] = client.answeredBefore(exchange, tool === undefined ? 'anyOutcome' : 'outcome', tool);
  return latest !== undefined && isCompleted(latest) && isRefusal(latest) ? latest : undefined;
}

/** An id that no response gave. */
export function isUnknownId(exchange: Exchange, { ids, earlier, client }: Seen): boolean {
  const id = presentedId(exchange);
  return id !== undefined && !client.mayKnowMore && ids.wasIssued(id) === false && !earlier.ids.has(id);
}
