import type { Kept } from './kept.ts';

/** A request that passed through the proxy. */
export interface Passed {
  readonly method: string;
  /** Forwarded path, with its query. */
  readonly path: string;
  /** Header lists alternate names and values, as received. */
  readonly requestHeaders: readonly string[];
  readonly requestBody: Kept;
  /** Null if the deployment did not respond, or not completely. */
  readonly response: { readonly status: number; readonly headers: readonly string[]; readonly body: Kept } | null;
  /** Why the client got a 502 instead of the deployment's response. */
  readonly problem?: string;
  readonly sentAt: number;
  readonly receivedAt: number;
}
