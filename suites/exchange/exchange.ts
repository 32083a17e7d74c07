import { responseHeaders } from '../../fixtures/contract/headers.ts';
import type { Role } from '../../fixtures/roles.ts';
import { isRecord, type JsonRecord, member } from '../json.ts';

export type Headers = readonly (readonly [name: string, value: string])[];

/**
 * Kind of the credential in a request. `absent`: no bearer credential, but possibly a key in another place, such as a
 * cookie. `other`: not known from the history.
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

/** Role of a key, or a number if the role is unknown. */
export type KeyName = Role | `key ${number}`;

/** Sender of a request, without secrets. */
export interface Sender {
  /** Description, for example `primary`, `no credential` or `primary, one letter more`. */
  readonly label: string;
  readonly kind: CredentialKind;
  /** Key that was sent or resembled; null without a key or for an unknown key. */
  readonly role: KeyName | null;
}

export interface Request {
  readonly method: string;
  readonly url: string;
  /** Tool in the path, whether it exists or not; null for other paths. */
  readonly tool: string | null;
  /** Names are in lower case. */
  readonly headers: Headers;
  /** Null if the request had no body. */
  readonly body: string | null;
  /** Arguments if the body is a JSON object; `{}` if the request had no body. */
  readonly args: JsonRecord | null;
  /** Why the body is not completely known. An incomplete body cannot be judged. */
  readonly unread?: string;
}

export interface Response {
  readonly status: number;
  /** Names are in lower case, in the order received. */
  readonly headers: Headers;
  readonly text: string;
  /** Parsed body; undefined if the body is not JSON. */
  readonly json: unknown;
  /** Why the body was not read completely. Only status and headers can be judged then. */
  readonly unread?: string;
  /** True if the content type is the only known header. */
  readonly stripped?: boolean;
}

/** A request with its response; `response` is null if no response arrived. */
export interface Exchange {
  readonly kind: 'exchange';
  /** Position in the history, in the order of sending. */
  readonly number: number;
  readonly sender: Sender;
  readonly request: Request;
  readonly response: Response | null;
  /** Milliseconds since the start of the history, by the clock of the recorder. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** Milliseconds by which the deployment's clock had been advanced when the request was sent. */
  readonly clockMoved: number;
  /** Number of requests sent together on purpose; 1 if the request was alone, or if unknown. */
  readonly together: number;
  /** Arguments, or `tool`, with values that the sender invented, so the deployment does not have them. */
  readonly invented: readonly string[];
  /** Open question that the request helps to answer, and what it tries; null for other requests. */
  readonly observes: { readonly question: string; readonly what: string } | null;
  /** True if the request was sent only to observe the response. Rules on ordinary requests ignore it. */
  readonly odd: boolean;
  /** True if gateways and servers commonly refuse the request before the API receives it. */
  readonly refusable: boolean;
  /** Number of the connection. Exchanges with one number used it one after another. Absent if unknown. */
  readonly connection?: number;
  /** Number of new connections in a row that the server closed without a response to this request. */
  readonly closedInARow?: number;
  /** The exchange of another request that ended between the headers of this request and the end of its body. */
  readonly around?: Exchange;
  /** Why no response arrived, if known. */
  readonly problem?: string;
}

/** Exchange with a response, which rules can judge. */
export type Completed = Exchange & { readonly response: Response };

/** Returns whether an exchange of a history or a session has a response. */
export function isCompleted<E extends { readonly response: Response | null }>(
  exchange: E,
): exchange is E & { readonly response: NonNullable<E['response']> } {
  return exchange.response !== null;
}

/** Returns whether the body of a request comes in chunks, without its length. */
export function isChunked({ request }: { readonly request: Pick<Request, 'headers'> }): boolean {
  return request.headers.some(([name, value]) => name === 'transfer-encoding' && value === 'chunked');
}

/** Returns the value of a response header, or undefined. Repeated headers are joined as in HTTP. */
export function header(
  { response }: { readonly response: Pick<Response, 'headers'> },
  name: string,
): string | undefined {
  const wanted = name.toLowerCase();
  const values = response.headers.filter(([key]) => key === wanted).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}

/** The part of an exchange that shows its outcome, in histories and sessions. */
export interface Ended {
  readonly response: Pick<Response, 'status' | 'json'>;
}

/** Returns the body of a response if it is a JSON object, otherwise an empty object. */
export function body({ response }: Ended): JsonRecord {
  return isRecord(response.json) ? response.json : {};
}

/** Returns the elements of a member of the body; none if the member is no array, which other requirements cover. */
export function elements(exchange: Ended, name: string): readonly unknown[] {
  const { [name]: value } = body(exchange);
  return Array.isArray(value) ? value : [];
}

export function isSuccess(exchange: Ended): boolean {
  return isOutcomeStatus(exchange.response.status) && outcomeOf(exchange).ok === true;
}

/** Returns whether a tool refused the request: an outcome status, `ok` false and, if given, this code. */
export function isRefusal(exchange: Ended, code?: string): boolean {
  const { ok, code: actual } = outcomeOf(exchange);
  return isOutcomeStatus(exchange.response.status) && ok === false && (code === undefined || actual === code);
}

/** Returns whether the server refused the key itself, whatever the tool. */
export const isKeyRefused = ({ response }: Ended) => response.status === 401 || response.status === 403;

/** Caches outcomes, because rules read them repeatedly and `json` may parse the body each time. */
const outcomes = new WeakMap<Ended['response'], { ok: unknown; code: unknown }>();

function outcomeOf(exchange: Ended): { ok: unknown; code: unknown } {
  const known = outcomes.get(exchange.response);
  if (known !== undefined) return known;
  const { ok, code } = body(exchange);
  const outcome = { ok: typeof ok === 'boolean' ? ok : undefined, code: typeof code === 'string' ? code : undefined };
  outcomes.set(exchange.response, outcome);
  return outcome;
}

/** Returns whether the response to one request was received before the other request was sent. */
export function precedes(earlier: Exchange, later: Exchange): boolean {
  return earlier.receivedAt <= later.sentAt;
}

export function overlap(one: Exchange, other: Exchange): boolean {
  return !precedes(one, other) && !precedes(other, one);
}

/**
 * Returns the milliseconds from receiving the first response to sending the second request, by the deployment's clock.
 */
export function ageAt(proposal: Exchange, later: Exchange): number {
  return later.sentAt + later.clockMoved - (proposal.receivedAt + proposal.clockMoved);
}

/**
 * Whether a status stands for a tool result or a refusal. Only 200 is correct. Any other 2xx violates
 * `envelopes.outcome-is-200`; the other requirements treat it as 200.
 */
export const isOutcomeStatus = (status: number): boolean => status >= 200 && status < 300;

/** Returns the seconds of `Retry-After`; undefined unless there is one value, a whole number of at least 1. */
export function retryAfter({ response }: { response: { headers: Headers } | null }): number | undefined {
  const values = response?.headers.filter(([name]) => name === responseHeaders.retryAfter) ?? [];
  const [[, value] = ['', '']] = values;
  return values.length === 1 && /^0*[1-9]\d*$/.test(value) ? Number(value) : undefined;
}

/** Returns the wait that the body states. */
export const retryAfterInBody = ({ response }: Completed) => member(response.json, 'error', 'retry_after_seconds');
