import { hash } from 'node:crypto';
import type { Role } from '../../fixtures/roles.ts';
import type { CredentialKind, Exchange, Sender } from '../exchange/exchange.ts';

export interface Credential {
  /** Default: `key` if `role` is set, otherwise `other`. */
  kind?: CredentialKind;
  /** Description without secrets, such as `primary`, `no credential` or `primary, one letter more`. */
  label: string;
  /** Role whose key is sent unchanged. */
  role?: Role;
  /** Value of the `Authorization` header, or of the place in `at`. Secret. */
  header?: string;
  /**
   * Place of the credential instead of `Authorization`: headers, query parameters after `?`, or body members after `{`.
   * Commas separate the names.
   */
  at?: string;
  /** Value of `header` in shell syntax, with an environment variable for the key. */
  curl?: string;
  /** Whether the deployment should accept the key, so that the request may have a side effect. */
  good: boolean;
}

/**
 * A request of a run. It has no secrets. Its response or its problem, and the time of its end, are added when they are
 * known.
 */
export interface SentExchange extends Open<Exchange> {
  story?: string;
  step?: string;
  /** IDs in the request header `traceparent`, which is not a part of `request`, so that no rule sees the header. */
  trace?: Trace;
}

type Open<T> = { -readonly [Name in keyof T]: T[Name] };

/** Returns whether an exchange has a response, or can no longer get one. */
export const hasEnded = ({ response, problem }: Exchange) => response !== null || problem !== undefined;

/** IDs of a request in the W3C Trace Context. */
export interface Trace {
  /** Shared by the requests that one story of a run sends. */
  readonly traceId: string;
  readonly spanId: string;
}

/** Name of the request header with the IDs. */
export const traceHeader = 'traceparent';

/** Returns the IDs of a request. They depend only on the run, the story and the number of the request in the run. */
export function traceOf(runId: string, story: string, seq: number): Trace {
  const traceId = hash('sha256', `${runId} ${story}`).slice(0, 32);
  return { traceId, spanId: (seq + 1).toString(16).padStart(16, '0') };
}

/** Returns the value of the header. The last part asks the service to record the trace. */
export function traceparentOf({ traceId, spanId }: Trace): string {
  return `00-${traceId}-${spanId}-01`;
}

export function senderOf({ label, role, kind }: Credential): Sender {
  return { label, role: role ?? null, kind: kind ?? (role === undefined ? 'other' : 'key') };
}
