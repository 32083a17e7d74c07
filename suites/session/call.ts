import { hash } from 'node:crypto';
import { isToolName, toolReached, tools, toolsPath } from '../../fixtures/contract/tools.ts';
import type { QuestionId } from '../../fixtures/open-questions.ts';
import type { Role } from '../../fixtures/roles.ts';
import type { Effect } from '../../fixtures/side-effects.ts';
import { type Completed, type CredentialKind, type Exchange, isCompleted } from '../exchange/exchange.ts';
import { NotTested } from './budget.ts';

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

/** Returns the IDs of a request. They depend only on the run, the story and the number of the request in the run. */
export function traceOf(runId: string, story: string, seq: number): Trace {
  const traceId = hash('sha256', `${runId} ${story}`).slice(0, 32);
  return { traceId, spanId: (seq + 1).toString(16).padStart(16, '0') };
}

export interface Call {
  /** Last segment of the path; any text. */
  tool: string;
  credential: Credential;
  /** JSON arguments; omit for a request without a body. */
  args?: Readonly<Record<string, unknown>>;
  body?: string | Uint8Array;
  headers?: Readonly<Record<string, string>>;
  /** Sends the body in chunks, without its length. */
  chunked?: boolean;
  /** Sends another request, and receives its response, while the last byte of the body waits. */
  around?: () => Promise<Exchange>;
  query?: string;
  method?: string;
  /** Path below the base URL, instead of the path of the tool. */
  path?: string;
  baseUrl?: string;
  /** The request tests the rate limit: a 429 is neither waited out nor repeated. */
  wants429?: boolean;
  /** Names of arguments, or `tool`, with values that the kit made up. The deployment has none of these values. */
  invented?: readonly string[];
  /** Open question that the request is sent for, and what the request tries. */
  observes?: { question: QuestionId; what: string };
  /** Sends the request before waiting ones, because it is part of the longest chain of requests. */
  goesFirst?: boolean;
  step?: string;
  story?: string;
  /** Sends the request once: no repetition after a 5xx or a broken connection. */
  once?: boolean;
  /** Sends a confirmation beside others, unless the key has a limit on its rate. By default, it goes alone. */
  overlaps?: boolean;
  /** Number of connections in a row that the deployment closed without a response to this request. */
  closed?: number;
  /**
   * Sent only as an observation. The specification does not describe the request, so any response except a 5xx is
   * allowed.
   */
  odd?: boolean;
}

/** Thrown if a request gets no response. The check that sent it has no result. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
  readonly exchange: Exchange | undefined;

  constructor(problem: string, exchange?: Exchange) {
    super(problem);
    this.exchange = exchange;
  }
}

/**
 * Returns the side effect that a request may have; undefined if it only reads. A faulty deployment may execute even
 * what it should refuse.
 */
export function effectOf(call: Pick<Call, 'credential' | 'path' | 'tool'>): Effect | undefined {
  if (!call.credential.good) return undefined;
  const { path, tool: name } = call;
  const tool = path === undefined && isToolName(name) ? name : toolReached(path ?? `${toolsPath}${name}`);
  return tool && tools[tool].effect;
}

/**
 * Longest request that the kit sends. Its own values are far shorter, so a longer request repeats a value of the
 * deployment.
 */
const mostCharacters = 64 * 1024;

/** Thrown if a response body is larger than the kit keeps. Only the status and the headers can be judged. */
export class TooLarge extends NotTested {
  readonly exchange: Exchange;

  constructor(what: string, exchange: Exchange) {
    super(`the response is larger than the kit keeps: ${what}`, [
      { kind: 'limit', what: 'responses that it can keep whole' },
    ]);
    this.exchange = exchange;
  }
}

/** Returns what to throw for a request without a response. Only one rule judges closed connections. */
export function unanswered(exchange: Exchange): Error {
  const { request, problem, closedInARow } = exchange;
  if (closedInARow === undefined) return new Unanswered(problem ?? 'no response', exchange);
  return new NotTested(`${request.tool} closed the connection without a response, see envelopes.answers-every-request`);
}

/**
 * Returns an exchange for stories. Throws `Unanswered` without a response, and `TooLarge` if the body was not kept
 * whole.
 */
export function readable(exchange: Exchange): Completed {
  if (!isCompleted(exchange)) throw unanswered(exchange);
  const { unread } = exchange.response;
  if (unread !== undefined) throw new TooLarge(unread, exchange);
  return exchange;
}

/** Throws `NotTested` if a request is longer than the kit sends. */
export function requireSendable({ args, body }: Pick<Call, 'args' | 'body'>): void {
  const length = args === undefined ? (body?.length ?? 0) : JSON.stringify(args).length;
  if (length <= mostCharacters) return;
  throw new NotTested(`the request would repeat a value of the deployment, and have ${length} characters`, [
    { kind: 'limit', what: 'values that are not too long to be sent back' },
  ]);
}
