import type { Kept } from './kept.ts';

/** What passed through the proxy. */
export interface Passed {
  readonly method: string;
  /** The path that was forwarded, with its query. */
  readonly path: string;
  /** Headers are names and values in turn, as they came. */
  readonly requestHeaders: readonly string[];
  readonly requestBody: Kept;
  /** Null if the deployment did not respond, or not completely. */
  readonly response: { readonly status: number; readonly headers: readonly string[]; readonly body: Kept } | null;
  /** Why the client got 502 instead of a response of the deployment. */
  readonly problem?: string;
  readonly sentAt: number;
  readonly receivedAt: number;
}
