import { forbidsOtherArguments, isToolName, tools } from '../../fixtures/contract/tools.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { brief, shorten } from '../json.ts';
import type { Client } from './client.ts';
import { isMeant, pathOf, toolOf } from './exchange.ts';
import { mayLackResult, usesFailure } from './never-got.ts';
import { type ClientRule, clientRule } from './rule.ts';

const hasBody = ({ request: { body } }: Exchange) => body !== null && body !== '';
const isWhole = ({ request }: Exchange) => request.unread === undefined;

const usesTool = ({ request: { tool, args } }: Exchange) => tool !== null && isToolName(tool) && args !== null;

/**
 * Returns the arguments that the specification does not name. If it forbids unnamed arguments, the schema check reports
 * them.
 */
function unnamed({ request: { tool, args } }: Exchange): string[] {
  if (tool === null || !isToolName(tool) || forbidsOtherArguments(tool)) return [];
  // An argument that the specification does not show may still exist.
  if (tools[tool].argumentsShown === 'some') return [];
  const knownNames = Object.keys(tools[tool].arguments.shape);
  return Object.keys(args ?? {}).filter((name) => !knownNames.includes(name));
}

/** Returns whether a request asks for an item by kind and ID, and all results of searches are known. */
function asksForItem(exchange: Exchange, client: Client): boolean {
  const { tool, args } = exchange.request;
  if (tool !== 'library.get' || typeof args?.kind !== 'string' || typeof args.id !== 'string') return false;
  return !client.mayKnowMore && !usesFailure(exchange, client);
}

/** Rules for the structure of requests. */
export const requests: readonly ClientRule[] = [
  clientRule('client-requests.known-tools', (exchange) => {
    if (!isMeant(exchange)) return undefined;
    const { method, tool, url } = exchange.request;
    if (method === 'POST' && tool !== null && isToolName(tool)) return null;
    return {
      expected: 'POST {base_url}/api/v1/tools/<tool_name>, with the name of a tool',
      actual: `${method} ${shorten(pathOf(url), 80)}`,
      hint: 'Check the code that builds the URL, and the name of the tool.',
    };
  }),
  clientRule('client-requests.json-object', (exchange) => {
    if (!isMeant(exchange) || !hasBody(exchange) || !isWhole(exchange)) return undefined;
    if (exchange.request.args !== null) return null;
    return {
      expected: 'a JSON object, or no body',
      actual: `${toolOf(exchange)} with the body ${shorten(exchange.request.body ?? '', 80)}`,
      hint: 'Serialize the arguments once, as a single JSON object.',
    };
  }),
  clientRule('client-requests.content-type', (exchange, { knowledge }) => {
    if (!knowledge.headers || !isMeant(exchange) || !hasBody(exchange)) return undefined;
    const given = exchange.request.headers.find(([name]) => name === 'content-type')?.[1];
    if (given !== undefined && /^application\/json\s*(;|$)/i.test(given)) return null;
    return {
      expected: 'the header content-type: application/json with every body',
      actual: `${toolOf(exchange)} with ${given === undefined ? 'no content-type' : `content-type: ${given}`}`,
      hint: 'Send the header with every body: other servers of this API may require it.',
    };
  }),
  clientRule('client-requests.valid-arguments', (exchange, client) => {
    if (!usesTool(exchange) || !isWhole(exchange)) return undefined;
    // client-outcomes.ok-decides covers values that a refusal did not give.
    if (usesFailure(exchange, client) || mayLackResult(exchange, client)) return undefined;
    const { tool, args } = exchange.request;
    const parsed = tool !== null && isToolName(tool) ? tools[tool].arguments.safeParse(args) : undefined;
    if (parsed?.error === undefined) return null;
    const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`);
    return {
      expected: `arguments of ${tool} that fit its schema`,
      actual: issues.join('; '),
      hint: 'Check arguments before you send them: `tck describe` prints the schemas.',
    };
  }),
  clientRule('client-requests.known-arguments', (exchange) => {
    if (!usesTool(exchange) || Object.keys(exchange.request.args ?? {}).length === 0) return undefined;
    const names = unnamed(exchange);
    if (names.length === 0) return null;
    return {
      expected: `arguments that the specification names for ${exchange.request.tool}`,
      actual: `${exchange.request.tool} with ${names.join(', ')}`,
      hint: 'Send only the arguments of the tool, in their spelling: a server may ignore others.',
    };
  }),
  clientRule('client-requests.item-as-found', (exchange, client) => {
    if (!asksForItem(exchange, client)) return undefined;
    const { kind, id } = exchange.request.args ?? {};
    const items = client.itemsBefore(exchange, id);
    if (items.some((item) => item.kind === kind)) return null;
    const what =
      items.length > 0 ? 'no search result contains this ID with this kind' : 'no search result contains this ID';
    return {
      expected: 'the kind and the ID of the same search result',
      actual: `library.get requests ${brief(kind)} ${brief(id)}, but ${what}`,
      hint: 'Store the kind and the ID of a search result together, and check that the search has a result.',
      exchanges: [...items.slice(-1).map(({ search }) => search), exchange],
    };
  }),
];
