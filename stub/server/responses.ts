import type { Issue } from '../../fixtures/contract/envelopes.ts';
import { carriedHeaders, responseHeaders } from '../../fixtures/contract/headers.ts';
import type { Delivery } from './handle.ts';

/** A response before serialization, so that deviations can change its parts. */
export interface ApiResponse<Body = Readonly<Record<string, unknown>>> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** Omitted if the response is sent immediately and completely. */
  readonly delivery?: Delivery | undefined;
}

function plainOn(status: number): Readonly<Record<string, string>> {
  return { 'content-type': 'application/json', ...carriedHeaders(status) };
}

const plain = plainOn(200);
const refusedByBoundary = { ...plain, [responseHeaders.toolError]: 'true' };
const refusedByTool = { ...plain, [responseHeaders.toolError]: 'false' };

/** A successful result. `ok` comes first. */
export interface Result extends Readonly<Record<string, unknown>> {
  readonly ok: true;
}

/** Returns HTTP 200 with `ok: true`. */
export function success<const R extends Result>(result: R): ApiResponse<R> {
  return { status: 200, headers: plain, body: result };
}

interface RefusalDetails {
  readonly code: string;
  /** A message that a person can act on. */
  readonly message: string;
  readonly workspaces?: readonly string[];
  readonly issues?: readonly Issue[];
}

/** A refusal. `ok` comes first. */
export interface Refused extends Readonly<Record<string, unknown>> {
  readonly ok: false;
}

/** Returns HTTP 200 with `ok: false`. `by` is `boundary` if a step before the tool refused ("Response headers"). */
export function refusal(by: 'boundary' | 'tool', details: RefusalDetails): ApiResponse<Refused> {
  return {
    status: 200,
    headers: by === 'boundary' ? refusedByBoundary : refusedByTool,
    body: { ok: false, ...details },
  };
}

/** Returns HTTP 4xx. Its only member, `error`, has code, message and `more` ("Error envelopes, boundary error"). */
export function boundaryError(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  more: { readonly retry_after_seconds?: number } = {},
): ApiResponse {
  return {
    status,
    headers: { ...plainOn(status), ...headers },
    body: { error: { code, message, ...more } },
  };
}

/** Returns HTTP 429. The wait time, in whole seconds, is in the body and in `Retry-After`. */
export function rateLimited(code: string, waitSeconds: number, message?: string): ApiResponse {
  const toWait = `Wait ${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'}.`;
  const text = message ?? `This key has sent too many requests. ${toWait}`;
  const headers = { [responseHeaders.retryAfter]: String(waitSeconds) };
  return boundaryError(429, code, text, headers, { retry_after_seconds: waitSeconds });
}
