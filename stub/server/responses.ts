import type { Issue } from '../../fixtures/contract/envelopes.ts';
import { carriedHeaders, responseHeaders, statuses } from '../../fixtures/contract/headers.ts';
import type { Delivery } from './handle.ts';

/** A response before it is written out, so that its parts can still be looked at and changed. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** Left out where the response goes out at once and whole. */
  readonly delivery?: Delivery | undefined;
}

/** The headers of a status, built once. */
const plainHeaders = new Map<number, Readonly<Record<string, string>>>(
  statuses.map((status) => [status, plainOn(status)]),
);

function plainOn(status: number): Readonly<Record<string, string>> {
  return { 'content-type': 'application/json', ...carriedHeaders(status) };
}

const plain = plainOn(200);
const refusedByBoundary = { ...plain, [responseHeaders.toolError]: 'true' };
const refusedByTool = { ...plain, [responseHeaders.toolError]: 'false' };

/** What a tool returns when it did what was asked; `ok` comes first. */
export interface Result extends Readonly<Record<string, unknown>> {
  readonly ok: true;
}

/** HTTP 200 with `ok` true. */
export function success(result: Result): ApiResponse {
  return { status: 200, headers: plain, body: result };
}

export interface RefusalDetails {
  readonly code: string;
  /** A sentence that a person can act on. */
  readonly message: string;
  readonly workspaces?: readonly string[];
  readonly issues?: readonly Issue[];
}

/** HTTP 200 with `ok` false. `by` says who declined: a step before the tool, or the tool ("Response headers"). */
export function refusal(by: 'boundary' | 'tool', details: RefusalDetails): ApiResponse {
  return {
    status: 200,
    headers: by === 'boundary' ? refusedByBoundary : refusedByTool,
    body: { ok: false, ...details },
  };
}

/** HTTP 4xx: one key, `error`, with nothing but code and message ("Error envelopes, boundary error"). */
export function boundaryError(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): ApiResponse {
  return {
    status,
    headers: { ...(plainHeaders.get(status) ?? plainOn(status)), ...headers },
    body: { error: { code, message } },
  };
}

/** HTTP 429: the only boundary error that says how long to wait, in whole seconds, twice. */
export function rateLimited(code: string, waitSeconds: number, message = toWait(waitSeconds)): ApiResponse {
  return {
    status: 429,
    headers: { ...plainHeaders.get(429), [responseHeaders.retryAfter]: String(waitSeconds) },
    body: {
      error: {
        code,
        message,
        retry_after_seconds: waitSeconds,
      },
    },
  };
}

function toWait(seconds: number): string {
  return `This key has sent too many requests. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
}
