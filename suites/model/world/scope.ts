import { toolsPath, workspaceScopedTools } from '../../../fixtures/contract/tools.ts';
import type { Completed } from '../../exchange/exchange.ts';
import type { Knowledge } from '../../exchange/history.ts';

/** Returns whether the specification describes the request: a POST to a tool. */
export function isToolRequest({ request }: Completed): boolean {
  return request.method === 'POST' && request.tool !== null;
}

/**
 * Returns whether the request is a tool request whose body is a JSON object or omitted. For other bodies, the
 * specification does not say which error wins.
 */
export function hasObjectOrNoBody(exchange: Completed): boolean {
  return isToolRequest(exchange) && exchange.request.args !== null;
}

/** Returns whether the requested tool runs in a workspace. */
export function runsInWorkspace({ request }: Completed): boolean {
  return workspaceScopedTools.some((tool) => tool === request.tool);
}

/** Returns whether the recorded headers of a response are those that were sent. */
export function knowsHeaders({ response }: Completed, { knowledge }: { readonly knowledge: Knowledge }): boolean {
  return knowledge.headers && response.stripped !== true;
}

/** Returns the base URL of a request. A key may have its own base URL. */
export function baseOf({ request }: Completed): string {
  const [base = ''] = request.url.split(toolsPath);
  return base;
}

/**
 * Returns a slug as servers may normalize it: in lower case, without white space and control characters at its ends.
 * The `trim` of many languages removes these characters. The specification does not define the meaning of normalized
 * slugs.
 */
export const normalizedSlug = (slug: unknown): string =>
  String(slug)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: Java and Ruby trim these
    .replace(/^[\s\u0000-\u001f]+|[\s\u0000-\u001f]+$/g, '')
    .toLowerCase();
