import type { Role } from '../../fixtures/roles.ts';
import { isRecord, type JsonRecord } from '../json.ts';
import { isOutcomeStatus } from '../outcome-status.ts';

export type Headers = readonly (readonly [name: string, value: string])[];

/**
 * What was sent as a credential. `absent`: no bearer credential, though a key may stand in another place, such as a
 * cookie. `other`: the history does not tell.
 */
export type CredentialKind =
  | 'key'
  | 'absent'
  | 'unknown'
  | 'longer'
  | 'shorter'
  | 'other-case'
  | 'other-scheme'
  | 'other';

/** A key by its role, or by a number where its role is not known. */
export type KeyName = Role | `key ${number}`;

/** Who sent a request. It holds no secret. */
export interface Sender {
  /** In words: `primary`, `no credential`, `primary, one letter more`. */
  readonly label: string;
  readonly kind: CredentialKind;
  /** The key that was sent, or resembled; null where that is not known, and then it is of the kind `other`. */
  readonly role: KeyName | null;
}

export interface Request {
  readonly method: string;
  readonly url: string;
  /** The tool that the path names, one of the nine or not; null for another path. */
  readonly tool: string | null;
  /** Lower-case names. */
  readonly headers: Headers;
  /** Null where the body was omitted. */
  readonly body: string | null;
  /** The arguments, where the body is a JSON object; `{}` where it was omitted. */
  readonly args: JsonRecord | null;
  /** Why the body is not known as a whole; nothing about it can be judged then. */
  readonly unread?: string;
}

export interface Response {
  readonly status: number;
  /** Lower-case names, in the order in which they came. */
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined where it is not JSON. */
  readonly json: unknown;
  /** Why the body was not read as a whole; only the status and the headers can be judged then. */
  readonly unread?: string;
  /** Of its headers only the content type is known. */
  readonly stripped?: boolean;
}

/** A request with its response; `response` is null where none came. */
export interface Exchange {
  readonly kind: 'exchange';
  /** Place in the history, in the order of sending. */
  readonly number: number;
  readonly sender: Sender;
  readonly request: Request;
  readonly response: Response | null;
  /** Milliseconds since the beginning of the history, by the clock of whoever recorded it. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** Milliseconds by which the deployment's clock had been moved when the request was sent. */
  readonly clockMoved: number;
  /** How many requests were sent at the same moment on purpose; 1 where it was alone, or where that is not known. */
  readonly together: number;
  /** Arguments, or `tool`, whose values the sender made up, so that nothing on the deployment has them. */
  readonly invented: readonly string[];
  /** The open question that it was sent for, and what it tries; null for other requests. */
  readonly observes: { readonly question: string; readonly what: string } | null;
  /** Sent only to be observed: rules on ordinary requests leave it out. */
  readonly odd: boolean;
  /** Gateways and servers commonly refuse such a request themselves, before the API receives it. */
  readonly refusable: boolean;
  /** Two exchanges of one number came on one connection, one after the other; absent where that is not known. */
  readonly connection?: number;
  /** Why no response reached the sender, where that is known. */
  readonly problem?: string;
}

/** An exchange that has a response; what rules look at. */
export type Completed = Exchange & { readonly response: Response };

export function isCompleted(exchange: Exchange): exchange is Completed {
  return exchange.response !== null;
}

/** The value of a response header, repeated ones joined as HTTP does; undefined where it is absent. */
export function header({ response }: Completed, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const values = response.headers.filter(([key]) => key === wanted).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}

/** The body of a response where it is a JSON object, otherwise an object without members. */
export function body({ response }: Completed): JsonRecord {
  return isRecord(response.json) ? response.json : {};
}

export function isSuccess(exchange: Completed): boolean {
  return isOutcomeStatus(exchange.response.status) && body(exchange).ok === true;
}

/** A refusal by a tool: 200 with `ok` false and, where one is given, this code. */
export function isRefusal(exchange: Completed, code?: string): boolean {
  const { ok, code: actual } = body(exchange);
  return isOutcomeStatus(exchange.response.status) && ok === false && (code === undefined || actual === code);
}

/** Whether the response to one was received before the other was sent. */
export function precedes(earlier: Exchange, later: Exchange): boolean {
  return earlier.receivedAt <= later.sentAt;
}

export function overlap(one: Exchange, other: Exchange): boolean {
  return !precedes(one, other) && !precedes(other, one);
}

/** Milliseconds between two moments by the deployment's clock: from the response to one until the other was sent. */
export function ageAt(proposal: Exchange, later: Exchange): number {
  return later.sentAt + later.clockMoved - (proposal.receivedAt + proposal.clockMoved);
}
