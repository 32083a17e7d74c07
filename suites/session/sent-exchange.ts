import { createHash } from 'node:crypto';
import type { Role } from '../../fixtures/roles.ts';
import type { CredentialKind, Exchange, Response, Sender } from '../history/exchange.ts';
import { isRefusable } from '../history/intermediaries.ts';
import type { JsonRecord } from '../json.ts';
import type { HeaderList } from '../result.ts';

/** Credential of a request. */
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

export type ConfiguredHeader = { name: string } & ({ value: string } | { variable: string });

export interface SentRequest {
  method: string;
  url: string;
  /** Tool that the path names, known or unknown; null for other paths. */
  tool: string | null;
  /** Headers of the request itself. */
  headers: HeaderList;
  /** Headers of the configuration, sent with each request. A secret value is represented by its variable. */
  configured: readonly ConfiguredHeader[];
  /** Null if the body is omitted. */
  body: string | null;
  /** Arguments, if the body is a JSON object. */
  args: JsonRecord | null;
  /** Names of arguments, or `tool`, with values that the kit made up. The deployment has none of these values. */
  invented?: readonly string[];
  /** Open question that the request was sent for, and what the request tried. */
  observes?: { question: string; what: string };
  /** Story and step that sent the request. */
  step?: string;
  /** Sent only as an observation: the specification does not describe its method, path or body. */
  odd: boolean;
}

/** A request of a run and its result. Without a response, `problem` says why. */
export interface SentExchange {
  /** Position in the order of sending within the run. */
  seq: number;
  credential: Credential;
  request: SentRequest;
  response: Response | null;
  problem: string | null;
  /** Milliseconds since the start of the run. */
  atMs: number;
  durationMs: number;
  /** Milliseconds by which the deployment's clock had been advanced before the request. */
  clockMovedMs?: number;
  /** Number of requests that were sent simultaneously on purpose. */
  together?: number;
  /** Milliseconds that the kit waited because of an unwanted 429. */
  waitedMs?: number;
  /**
   * Set if the deployment closed this connection and those before it without a response, each a new one, while it
   * responded to another request.
   */
  closedInARow?: number;
  /** The exchange that ended between the headers of this request and the end of its body. */
  around?: Exchange;
  /** IDs in the request header `traceparent`, which is not a part of `request`, so that no rule sees the header. */
  trace?: Trace;
}

/** An exchange that has a response. */
export type CompletedExchange = SentExchange & { response: Response };

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
  const traceId = hexOf(`${runId} ${story}`, 32);
  return { traceId, spanId: hexOf(`${traceId} ${seq}`, 16) };
}

/** Returns the value of the header. The last part asks the service to record the trace. */
export function traceparentOf({ traceId, spanId }: Trace): string {
  return `00-${traceId}-${spanId}-01`;
}

function hexOf(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}

/** Cache of exchanges that have ended, which no longer change. */
const known = new WeakMap<SentExchange, Exchange>();

/** Converts an exchange of the session to plain data for the history, without secrets. */
export function historyExchange(sent: SentExchange): Exchange {
  const exchange = known.get(sent) ?? written(sent);
  if (sent.response !== null || sent.problem !== null) known.set(sent, exchange);
  return exchange;
}

function written(sent: SentExchange): Exchange {
  const { seq, credential, request, response, atMs, durationMs, clockMovedMs = 0, together = 1 } = sent;
  return {
    kind: 'exchange',
    number: seq,
    sender: senderOf(credential),
    request: {
      method: request.method,
      url: request.url,
      tool: request.tool,
      headers: request.headers,
      body: request.body,
      args: request.body === null ? {} : request.args,
    },
    response: response && {
      status: response.status,
      headers: response.headers,
      text: response.text,
      // Parsed on demand, because the parsed values of a whole run do not fit into memory.
      get json() {
        return response.json;
      },
      ...(response.unread === undefined ? {} : { unread: response.unread }),
    },
    sentAt: atMs,
    receivedAt: atMs + durationMs,
    clockMoved: clockMovedMs,
    together,
    invented: request.invented ?? [],
    observes: request.observes ?? null,
    odd: request.odd,
    refusable: isRefusable(request),
    ...(sent.closedInARow === undefined ? {} : { closedInARow: sent.closedInARow }),
    ...(sent.around === undefined ? {} : { around: sent.around }),
  };
}

function senderOf({ label, role, kind }: Credential): Sender {
  return { label, role: role ?? null, kind: kind ?? (role === undefined ? 'other' : 'key') };
}
