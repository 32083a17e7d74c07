import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import type { Finding } from '../../expectations/finding.ts';
import type { RunResult } from '../../result.ts';
import type { TrafficOptions } from '../options.ts';

/** Start options of the judging thread. They contain only data, which can pass between threads. */
export interface ThreadOptions extends TrafficOptions {
  readonly baseUrl: string;
  readonly har: string | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** True if the thread reports each exchange. */
  readonly tellsExchanges: boolean;
}

/** Length of a body within its batch; null if the body is too long to be judged. */
export type BodyLength = number | null;

/** A forwarded request with its response, as received. Header lists alternate names and values. */
export interface PassedHead {
  readonly method: string;
  /** Forwarded path, with its query. */
  readonly path: string;
  readonly requestHeaders: readonly string[];
  readonly requestBody: BodyLength;
  /** Null if the deployment did not respond, or not completely. */
  readonly response: {
    readonly status: number;
    readonly headers: readonly string[];
    readonly body: BodyLength;
  } | null;
  /** Why the client got a 502 instead of the deployment's response. */
  readonly problem?: string;
  readonly sentAt: number;
  readonly receivedAt: number;
}

export type ToThread =
  | {
      readonly kind: 'passed';
      readonly passed: readonly PassedHead[];
      /** Bodies in order, each request before its response. */
      readonly bodies: Uint8Array;
      /** No further request was sent before this moment. */
      readonly moment: number;
    }
  | { readonly kind: 'end'; readonly interrupted: boolean; readonly passed: number; readonly unjudged: number };

/** Finding to print, without keys. */
export type ToldFinding = Pick<Finding, 'expected' | 'actual' | 'hint'>;

/** Exchange for the live page, without keys. */
export interface ShownExchange {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly sender: string;
  readonly tool: string;
  readonly outcome: string;
  readonly durationMs: number | null;
}

export type FromThread =
  | { readonly kind: 'judged'; readonly count: number; readonly bytes: number }
  | {
      readonly kind: 'finding';
      readonly id: RequirementId;
      readonly finding: ToldFinding;
      readonly places: readonly string[];
    }
  | { readonly kind: 'exchange'; readonly exchange: ShownExchange }
  | { readonly kind: 'ended'; readonly result: RunResult }
  /** Message of a `UsageError`. */
  | { readonly kind: 'refused'; readonly message: string };
