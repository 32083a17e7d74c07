import { isDeepStrictEqual } from 'node:util';
import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { type Exchange, isCompleted, isRefusal } from '../exchange/exchange.ts';
import { confirmationOf, requestsProposal } from '../model/world/client-requests.ts';
import { placeholders } from '../model/world/client-run.ts';
import { presentedId } from '../model/world/ids.ts';
import type { Seen } from '../model/world/seen.ts';

/** Arguments whose values come from the result of another tool. */
const sources: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'library.get': { kind: 'library.search', id: 'library.search' },
  'content.create_request': { day: 'schedule.read' },
};

/** A value that a client uses although no response gave it. The client treats the refusal as a result. */
export interface NeverGot {
  readonly name: string;
  readonly value: unknown;
  readonly refusal: Exchange;
}

/** How a request failed: with a refusal, or with an error response. */
export type Failure = 'refused' | 'failed';

/**
 * Returns the value that a request takes from a refusal or an error response; undefined if responses may have given all
 * values.
 */
export function neverGot(exchange: Exchange, seen: Seen, how: Failure): NeverGot | undefined {
  const unconfirmed = how === 'refused' ? confirmsWithout(exchange, seen) : undefined;
  if (unconfirmed !== undefined) return { name: 'confirmation_id', value: undefined, refusal: unconfirmed };
  const { tool, args } = exchange.request;
  if (seen.client.mayKnowMore || tool === null || args === null) return undefined;
  const names = new Set([...Object.keys(args), ...Object.keys(sources[tool] ?? {})]);
  for (const name of names) {
    const value = args[name];
    if (name !== 'confirmation_id' && !isMissing(value, sources[tool]?.[name])) continue;
    // A client that sends the value in a run without refusals sends it on purpose.
    if (seen.earlier.runs.some(({ kind, words }) => kind === 'plain' && words.has(value))) continue;
    if (name === 'confirmation_id' && wasGiven(exchange, seen)) continue;
    const refusal = lastOf[how](exchange, name === 'confirmation_id' ? tool : sources[tool]?.[name], seen);
    if (refusal !== undefined) return { name, value, refusal };
  }
  return undefined;
}

/** Returns whether a request uses a value that a refusal or an error response did not give. */
export function usesFailure(exchange: Exchange, seen: Seen): boolean {
  return (neverGot(exchange, seen, 'refused') ?? neverGot(exchange, seen, 'failed')) !== undefined;
}

/**
 * Returns the refused proposal that a client treats as a result. The client repeats the proposal as a confirmation with
 * a missing ID, and exits with 0.
 */
function confirmsWithout(exchange: Exchange, seen: Seen): Exchange | undefined {
  const {
    knowledge,
    earlier: { runs },
  } = seen;
  const confirms = runs.some(({ kind, confirms: usual }) => kind === 'plain' && usual);
  if (!confirms || knowledge.run?.exitCode !== 0 || !requestsProposal(exchange)) return undefined;
  const refusal = refusedBefore(exchange, 'images.generate', seen);
  if (refusal === undefined || !isCompleted(refusal)) return undefined;
  // A proposal with the workspace that a person chose is another request.
  const { workspace } = exchange.request.args ?? {};
  if (isRefusal(refusal, refusalCodes.workspaceAmbiguous) && typeof workspace === 'string') return undefined;
  // The workspace may be one that the result should have given.
  const asked = ({ request: { args } }: Exchange) => ({ ...args, workspace: undefined });
  return isDeepStrictEqual(asked(refusal), asked(exchange)) ? refusal : undefined;
}

/**
 * Returns whether a value that another response should give is missing. If the history lacks responses, the reason is
 * unknown.
 */
export function mayLackResult(exchange: Exchange, { client }: Seen): boolean {
  const { tool, args } = exchange.request;
  if (!client.mayKnowMore || tool === null || args === null) return false;
  const own = { ...sources[tool], ...('confirmation_id' in args ? { confirmation_id: tool } : {}) };
  return Object.entries(own).some(([name, source]) => isMissing(args[name], source));
}

/** Returns whether a value is a placeholder. An argument from a result may also be omitted, null or empty. */
const isMissing = (value: unknown, source: string | undefined) =>
  placeholders.includes(value) || (source !== undefined && (value === undefined || value === null || value === ''));

/** Returns the tools from whose results a tool takes values. */
const sourcesOf = (tool: string | null) => Object.values(sources[tool ?? ''] ?? {});

/** Returns whether a refused or failed request has a result that a client uses in later requests of a plain run. */
export function isUsedLater({ request: { tool } }: Exchange, { earlier: { runs } }: Seen): boolean {
  const plain = runs.filter(({ kind }) => kind === 'plain');
  if (tool === 'images.generate') return plain.some(({ confirms }) => confirms);
  return plain.some(({ tools }) => [...tools].some((later) => sourcesOf(later).includes(tool ?? '')));
}

/** Returns whether a request needs a value of a tool that last gave none. */
export function followsFailure(exchange: Exchange, seen: Seen, how: Failure): boolean {
  const { tool, args } = exchange.request;
  const needed = new Set(sourcesOf(tool));
  if (args !== null && 'confirmation_id' in args && tool !== null) needed.add(tool);
  return [...needed].some((source) => lastOf[how](exchange, source, seen) !== undefined);
}

/** Returns whether the presented ID may come from a response. */
function wasGiven(exchange: Exchange, { ids, earlier }: Seen): boolean {
  const id = confirmationOf(exchange);
  if (id === undefined) return true;
  if (typeof id !== 'string') return false;
  return ids.wasIssued(id) !== false || earlier.ids.has(id) || ids.resembled(id) !== undefined;
}

/** Returns the refusal that was the last outcome of a tool, or of any tool if the source is unknown. */
function refusedBefore(exchange: Exchange, tool: string | undefined, { client }: Seen): Exchange | undefined {
  const [latest] = client.answeredBefore(exchange, 'outcome', tool);
  return latest !== undefined && isCompleted(latest) && isRefusal(latest) ? latest : undefined;
}

/** Returns the error response that was the last response of a tool, or of any tool if the source is unknown. */
function failedBefore(exchange: Exchange, tool: string | undefined, { client }: Seen): Exchange | undefined {
  const [outcome] = client.answeredBefore(exchange, 'outcome', tool);
  const [error] = client.answeredBefore(exchange, 'error', tool);
  return error !== undefined && error.number > (outcome?.number ?? 0) ? error : undefined;
}

const lastOf = { refused: refusedBefore, failed: failedBefore };

/** Returns whether a request presents an ID that no response gave. */
export function isUnknownId(exchange: Exchange, { ids, earlier, client }: Seen): boolean {
  const id = presentedId(exchange);
  return id !== undefined && !client.mayKnowMore && ids.wasIssued(id) === false && !earlier.ids.has(id);
}
