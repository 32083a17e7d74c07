import { toolsPath } from '../../../fixtures/contract/tools.ts';
import type { Completed } from '../../history/exchange.ts';

/** Whether a request is one that the specification describes: a POST below the tools. */
export function isToolRequest({ request }: Completed): boolean {
  return request.method === 'POST' && request.tool !== null;
}

/** The same, where the body is a JSON object or was omitted: with other bodies it is not said which error wins. */
export function isProperRequest(exchange: Completed): boolean {
  return isToolRequest(exchange) && exchange.request.args !== null;
}

/** The base URL that a request was sent to; a key may have one of its own. */
export function baseOf({ request }: Completed): string {
  const [base = ''] = request.url.split(toolsPath);
  return base;
}
