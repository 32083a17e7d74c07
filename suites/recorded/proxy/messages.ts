import type { RequirementId } from '../../../fixtures/requirements/index.ts';
import type { RunResult } from '../../result.ts';
import type { Finding } from '../../rules/finding.ts';
import type { TrafficOptions } from '../options.ts';

/** What the thread that judges begins with: data that may pass from one thread to another. */
export interface ThreadOptions extends TrafficOptions {
  readonly baseUrl: string;
  readonly har: string | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Whether it tells of each exchange. */
  readonly tellsExchanges: boolean;
}

/** A body among those of its batch: its length there; null where it is too long to be judged. */
export type BodyLength = number | null;

/** A request that passed, with its response, as it came; headers are names and values in turn. */
export interface PassedHead {
  readonly method: string;
  /** The path that was forwarded, with its query. */
  readonly path: string;
  readonly requestHeaders: readonly string[];
  readonly requestBody: BodyLength;
  /** Null where the deployment did not answer, or not to the end. */
  readonly response: {
    readonly status: number;
    readonly headers: readonly string[];
    readonly body: BodyLength;
  } | null;
  /** Why the client got 502 instead of a response of the deployment. */
  readonly problem?: string;
  readonly sentAt: number;
  readonly receivedAt: number;
}

export type ToThread =
  | {
      readonly kind: 'passed';
      readonly passed: readonly PassedHead[];
      /** The bodies, each request before its response. */
      readonly bodies: Uint8Array;
      /** No request that was sent before it is still to come. */
      readonly moment: number;
    }
  | { readonly kind: 'end'; readonly interrupted: boolean; readonly passed: number; readonly unjudged: number };

/** A finding as it is printed; no key is in it. */
export type ToldFinding = Pick<Finding, 'expected' | 'actual' | 'hint'>;

/** An exchange as the live page shows it; no key is in it. */
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
  /** The message of a UsageError. */
  | { readonly kind: 'refused'; readonly message: string };
