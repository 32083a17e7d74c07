import { isDeepStrictEqual } from 'node:util';
import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { type Completed, type Exchange, isRefusal, isSuccess } from '../exchange/exchange.ts';
import { presentedId, requestsProposal } from '../model/world/ids.ts';
import type { Client } from './client.ts';
import { stepOf } from './exchange.ts';
import { placeholders } from './run.ts';

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
export function neverGot(exchange: Exchange, client: Client, how: Failure): NeverGot | undefined {
  const unconfirmed = how === 'refused' ? confirmsWithout(exchange, client) : undefined;
  if (unconfirmed !== undefined) return { name: 'confirmation_id', value: undefined, refusal: unconfirmed };
  const { tool, args } = exchange.request;
  if (client.mayKnowMore || tool === null || args === null) return undefined;
  const names = new Set([...Object.keys(args), ...Object.keys(sources[tool] ?? {})]);
  for (const name of names) {
    const value = args[name];
    if (name !== 'confirmation_id' && !isMissing(value, sources[tool]?.[name])) continue;
    // A client that sends the value in a run without refusals sends it on purpose.
    if (client.plainRuns.some(({ words }) => words.has(value))) continue;
    if (name === 'confirmation_id' && wasGiven(exchange, client)) continue;
    const refusal = lastOf[how](exchange, name === 'confirmation_id' ? tool : sources[tool]?.[name], client);
    if (refusal !== undefined) return { name, value, refusal };
  }
  return undefined;
}

/** Returns whether a request uses a value that a refusal or an error response did not give. */
export function usesFailure(exchange: Exchange, client: Client): boolean {
  return (neverGot(exchange, client, 'refused') ?? neverGot(exchange, client, 'failed')) !== undefined;
}

/**
 * Returns the refused proposal that a client treats as a result. The client repeats the proposal as a confirmation with
 * a missing ID, and exits with 0.
 */
function confirmsWithout(exchange: Exchange, client: Client): Exchange | undefined {
  const confirms = client.plainRuns.some(({ confirms: usual }) => usual);
  if (!confirms || client.knowledge.run?.exitCode !== 0 || !requestsProposal(exchange)) return undefined;
  const refusal = refusedBefore(exchange, 'images.generate', client);
  if (refusal === undefined) return undefined;
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
export function mayLackResult(exchange: Exchange, client: Client): boolean {
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
export function isUsedLater({ request: { tool } }: Exchange, { plainRuns }: Client): boolean {
  if (tool === 'images.generate') return plainRuns.some(({ confirms }) => confirms);
  return plainRuns.some(({ tools }) => [...tools].some((later) => sourcesOf(later).includes(tool ?? '')));
}

/** Returns whether a request needs a value of a tool that last gave none. */
export function followsFailure(exchange: Exchange, client: Client, how: Failure): boolean {
  const { tool, args } = exchange.request;
  const needed = new Set(sourcesOf(tool));
  if (args !== null && 'confirmation_id' in args && tool !== null) needed.add(tool);
  return [...needed].some((source) => lastOf[how](exchange, source, client) !== undefined);
}

/** Returns whether the presented ID may come from a response. */
function wasGiven(exchange: Exchange, { ids, earlier }: Client): boolean {
  const { tool, args } = exchange.request;
  const id = args?.confirmation_id;
  if (id === undefined || tool !== 'images.generate') return true;
  if (typeof id !== 'string') return false;
  return ids.wasIssued(id) !== false || earlier.ids.has(id) || ids.resembled(id) !== undefined;
}

/** Returns the latest response that shows whether a tool, or any tool, did its work. */
const outcomeBefore = (exchange: Exchange, tool: string | undefined, client: Client) =>
  client.answeredBefore(
    exchange,
    (other) => (tool === undefined || stepOf(other) === tool) && (isSuccess(other) || isRefusal(other)),
  );

/** Returns the refusal that was the last outcome of a tool, or of any tool if the source is unknown. */
function refusedBefore(exchange: Exchange, tool: string | undefined, client: Client): Completed | undefined {
  const latest = outcomeBefore(exchange, tool, client);
  return latest !== undefined && isRefusal(latest) ? latest : undefined;
}

/** Returns the error response that was the last response of a tool, or of any tool if the source is unknown. */
function failedBefore(exchange: Exchange, tool: string | undefined, client: Client): Exchange | undefined {
  const outcome = outcomeBefore(exchange, tool, client);
  const error = client.answeredBefore(
    exchange,
    (other) => (tool === undefined || stepOf(other) === tool) && other.response.status >= 400,
  );
  return error !== undefined && error.number > (outcome?.number ?? 0) ? error : undefined;
}

const lastOf = { refused: refusedBefore, failed: failedBefore };

/** Returns whether a request presents an ID that no response gave. */
export function isUnknownId(exchange: Exchange, client: Client): boolean {
  const id = presentedId(exchange);
  return id !== undefined && !client.mayKnowMore && client.ids.wasIssued(id) === false && !client.earlier.ids.has(id);
}
