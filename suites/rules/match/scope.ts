import { toolsPath } from '../../../fixtures/contract/tools.ts';
import type { Completed } from '../../history/exchange.ts';
import type { Seen } from '../seen/seen.ts';

/** Whether a request is one that the specification describes: a POST below the tools. */
export function isToolRequest({ request }: Completed): boolean {
  return request.method === 'POST' && request.tool !== null;
}

/** The same, where the body is a JSON object or was omitted: with other bodies it is not said which error wins. */
export function isProperRequest(exchange: Completed): boolean {
  return isToolRequest(exchange) && exchange.request.args !== null;
}

/** Whether the headers of a response are as they were sent. */
export function knowsHeaders({ response }: Completed, { knowledge }: Seen): boolean {
  return knowledge.headers && response.stripped !== true;
}

/** The base URL that a request was sent to; a key may have one of its own. */
export function baseOf({ request }: Completed): string {
  const [base = ''] = request.url.split(toolsPath);
  return base;
}
