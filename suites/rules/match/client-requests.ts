import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { body, type Completed, type Exchange, isCompleted, isRefusal } from '../../history/exchange.ts';
import { member } from '../../json.ts';
import { retryAfter } from './retry-after.ts';

/** The tool of a request in words, or its path. */
export function toolOf({ request }: Exchange): string {
  return request.tool ?? pathOf(request.url);
}

export function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}

/** A request of a client, and not of something that only looks whether the server is there. */
export function isMeant({ sender, request }: Exchange): boolean {
  return (sender.role !== null || pathOf(request.url).includes('/api/')) && !isPreflight(request);
}

/** A browser's own question whether a page of another origin may send a request. */
const isPreflight = ({ method, headers }: Exchange['request']) =>
  method === 'OPTIONS' && headers.some(([name]) => name === 'access-control-request-method');

/** The same for equal requests with the same key. */
export function fingerprint(exchange: Exchange): string {
  const { sender, request } = exchange;
  const credential = request.headers.find(([name]) => name === 'authorization')?.[1];
  return JSON.stringify([sender.role, credential, ask(exchange)]);
}

/** The same for equal requests, whatever the key. */
export function ask({ request }: Exchange): string {
  return JSON.stringify([request.method, request.url, request.body]);
}

/** What `confirmation_id` is sent with, whatever it is; undefined where the request proposes, or is none for images. */
export function confirmationOf({ request }: Exchange): unknown {
  return request.tool === 'images.generate' ? request.args?.confirmation_id : undefined;
}

export function isProposal(exchange: Exchange): boolean {
  return exchange.request.tool === 'images.generate' && confirmationOf(exchange) === undefined;
}

/** The code of a refusal or of a boundary error. */
export function codeOf(exchange: Completed): string | undefined {
  const code = body(exchange).code ?? member(exchange.response.json, 'error', 'code');
  return typeof code === 'string' ? code : undefined;
}

const hopelessStatuses = [400, 401, 403, 404, 405];

/** The same request will be answered alike. */
export function isHopeless(exchange: Completed): boolean {
  if (hopelessStatuses.includes(exchange.response.status)) return true;
  // What follows confirmation_invalid has a rule of its own.
  return isRefusal(exchange) && codeOf(exchange) !== refusalCodes.confirmationInvalid;
}

/** Whether the client learned nothing of what the request has done. */
export function isLost(exchange: Exchange): boolean {
  return !isCompleted(exchange) || exchange.response.status >= 500;
}

/** Milliseconds that a 429 asks to wait, from its receipt. */
export function waitOf(limited: Completed): number {
  return (retryAfter(limited) ?? 1) * 1000;
}

/** The origin that a redirect sends a client to; undefined for other responses, and where it is the same. */
export function redirectedTo({ request, response }: Completed): string | undefined {
  const location = response.headers.find(([name]) => name === 'location')?.[1];
  if (response.status < 300 || response.status > 399 || location === undefined) return undefined;
  if (!URL.canParse(location, request.url)) return undefined;
  const { origin } = new URL(location, request.url);
  return URL.canParse(request.url) && new URL(request.url).origin === origin ? undefined : origin;
}

export function originOf({ request: { url } }: Exchange): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}
