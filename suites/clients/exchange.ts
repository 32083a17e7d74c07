import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { body, type Completed, type Exchange, isCompleted, isRefusal, retryAfter } from '../exchange/exchange.ts';
import { member } from '../json.ts';
import { presentedId } from '../model/world/ids.ts';

/** Returns the tool of a request, or its path. */
export function toolOf({ request }: Exchange): string {
  return request.tool ?? pathOf(request.url);
}

export function pathOf(url: string): string {
  return URL.parse(url)?.pathname ?? url;
}

/** Returns whether a client meant to use the API. Health checks and CORS preflights do not. */
export function isMeant({ sender, request }: Exchange): boolean {
  return (sender.role !== null || pathOf(request.url).includes('/api/')) && !isPreflight(request);
}

/** Returns whether a browser sent the request to ask for permission (CORS preflight). */
const isPreflight = ({ method, headers }: Exchange['request']) =>
  method === 'OPTIONS' && headers.some(([name]) => name === 'access-control-request-method');

/** Returns whether two requests are identical, with any key. */
export function asksSame({ request: one }: Exchange, { request: other }: Exchange): boolean {
  return one.body === other.body && one.url === other.url && one.method === other.method;
}

/** Returns whether two requests are identical and have the same key. */
export function isRepeated(one: Exchange, other: Exchange): boolean {
  const keyIn = ({ headers }: Exchange['request']) => headers.find(([name]) => name === 'authorization')?.[1];
  return one.sender.role === other.sender.role && keyIn(one.request) === keyIn(other.request) && asksSame(one, other);
}

/** The step of a request. A confirmation is another step than the proposal of the same tool. */
export const stepOf = (exchange: Exchange) =>
  presentedId(exchange) === undefined ? String(exchange.request.tool) : 'confirmation';

/** Returns the code of a refusal or of an error response; otherwise undefined. */
export function codeOf(exchange: Completed): string | undefined {
  const code = body(exchange).code ?? member(exchange.response.json, 'error', 'code');
  return typeof code === 'string' ? code : undefined;
}

const hopelessStatuses = [400, 401, 403, 404, 405];

/** Returns whether an identical request would get the same response. */
export function isHopeless(exchange: Completed): boolean {
  if (hopelessStatuses.includes(exchange.response.status)) return true;
  // A separate rule covers requests after confirmation_invalid.
  return isRefusal(exchange) && codeOf(exchange) !== refusalCodes.confirmationInvalid;
}

/** Returns whether the client did not learn what the request did. */
export function isLost(exchange: Exchange): boolean {
  return !isCompleted(exchange) || exchange.response.status >= 500;
}

/** Returns the milliseconds that a 429 asks to wait, from its receipt. */
export function waitOf(limited: Completed): number {
  return (retryAfter(limited) ?? 1) * 1000;
}

/**
 * Returns the milliseconds between a response and a later request, by the advanced clock or in real time. The longer
 * time counts, because a client may follow either.
 */
export function sinceReceipt(later: Exchange, earlier: Exchange): number {
  const real = later.sentAt - earlier.receivedAt;
  return Math.max(real, real + later.clockMoved - earlier.clockMoved);
}

/** Returns the origin that a redirect leads to; undefined for other responses and for the same origin. */
export function redirectedTo(exchange: Completed): string | undefined {
  const { status, headers } = exchange.response;
  const location = headers.find(([name]) => name === 'location')?.[1];
  if (status < 300 || status > 399 || location === undefined) return undefined;
  const origin = URL.parse(location, exchange.request.url)?.origin;
  return origin === originOf(exchange) ? undefined : origin;
}

export function originOf({ request: { url } }: Exchange): string {
  return URL.parse(url)?.origin ?? '';
}
