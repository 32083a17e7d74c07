import type { Readable } from 'node:stream';
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { responseHeaders } from '../../fixtures/contract/headers.ts';
import type { Headers, Response } from '../exchange/exchange.ts';
import type { Redact } from '../exchange/redactor.ts';
import { type ClientTls, isLoopback, type Pace, type Target } from '../target/target.ts';
import { codeOf } from '../usage/read-file.ts';
import { Receiver, Undecodable } from './received.ts';

interface Sending {
  method: string;
  url: string;
  headers: Headers;
  body: string | Uint8Array | Readable | null;
  /** Uses a new connection, so that no earlier request obscures whether this one arrived. */
  fresh: boolean;
  signal: AbortSignal;
}

/**
 * Result of one attempt. `beforeAnswer`: the connection failed before a response, so the deployment may be unchanged.
 * `closed`: the deployment closed the connection before a response.
 */
type Sent = { response: Response } | { problem: string; beforeAnswer: boolean; timedOut: boolean; closed: boolean };

interface TransportOptions extends Pick<Target, 'dispatcher' | 'tls'> {
  pace: Pick<Pace, 'timeoutSeconds' | 'concurrency'>;
  /** Applied to everything received, so that the kit stores no secret that a response repeats. */
  redact: Redact;
  /** Sent with each request that has no `User-Agent`. */
  userAgent: string;
}

/** Sends single requests and reads whole responses. It never follows redirects or repeats requests. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #receiver: Receiver;
  /** One dispatcher that bypasses proxies (`true`) and one that may use them, each opened on first use. */
  readonly #shared = new Map<boolean, Dispatcher>();

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#receiver = new Receiver(options.redact);
  }

  async send(sending: Sending): Promise<Sent> {
    const { pace, tls, dispatcher, redact } = this.#options;
    const timeoutMs = pace.timeoutSeconds * 1000;
    const end = endOf(sending.signal, timeoutMs);
    let status: number | undefined;
    let own: Dispatcher | undefined;
    try {
      own = sending.fresh && dispatcher === undefined ? dispatcherTo(sending.url, 1, tls) : undefined;
      const response = await request(sending.url, {
        method: sending.method,
        headers: this.#named(sending.headers).flat(),
        body: sending.body,
        dispatcher: own ?? dispatcher ?? this.#sharedTo(sending.url),
        signal: end.signal,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        responseHeaders: 'raw',
      });
      status = response.statusCode;
      // The types do not say that raw headers alternate names and values.
      const pairs: unknown = response.headers;
      const headers = keptHeaders(Array.isArray(pairs) ? pairs.map(String) : [], redact);
      const codings = headers.flatMap(([name, value]) => (name === 'content-encoding' ? value : []));
      return { response: await this.#receiver.receive(status, headers, response.body, codings.join()) };
    } catch (error) {
      const isInterrupted = sending.signal.aborted;
      const timedOut = !isInterrupted && (end.isTimeout() || /timeout/i.test(codeOf(error) ?? ''));
      const isUnanswered = !isInterrupted && status === undefined;
      return {
        problem: isInterrupted ? 'the run was interrupted' : this.#problem(error, status, timedOut, sending.url),
        beforeAnswer: isUnanswered && !timedOut,
        timedOut,
        closed: isUnanswered && closedCodes.test(codeOf(error) ?? ''),
      };
    } finally {
      end.cancel();
      // The only request on this connection is over. Waiting for the socket to close would delay the next request.
      own?.destroy().catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#shared.values()].map((dispatcher) => dispatcher.destroy()));
  }

  /** Describes a request without a complete response. `status` is undefined if not even the headers arrived. */
  #problem(error: unknown, status: number | undefined, timedOut: boolean, url: string): string {
    const { pace, redact } = this.#options;
    const limit = `within timeoutSeconds, which is ${pace.timeoutSeconds}`;
    const what = redact(reason(error));
    if (status === undefined) {
      if (timedOut) return `no response ${limit}`;
      if (unreachable.test(codeOf(error) ?? '')) return `the target is unreachable: ${what}`;
      return otherScheme(error, url) ?? what;
    }
    const failed = error instanceof Undecodable ? 'cannot be read' : 'ended early';
    return `the response, HTTP ${status}, ${timedOut ? `did not end ${limit}` : `${failed}: ${what}`}`;
  }

  #named(headers: Headers): Headers {
    if (headers.some(([name]) => name.toLowerCase() === 'user-agent')) return headers;
    return [...headers, ['user-agent', this.#options.userAgent]];
  }

  #sharedTo(url: string): Dispatcher {
    const direct = mustBeDirect(url);
    const { pace, tls } = this.#options;
    const dispatcher = this.#shared.get(direct) ?? dispatcherTo(url, pace.concurrency, tls);
    this.#shared.set(direct, dispatcher);
    return dispatcher;
  }
}

/** Returns a signal that ends a request. `AbortSignal.any` and `timeout` would take memory long after the request. */
function endOf(run: AbortSignal, ms: number) {
  const end = new AbortController();
  const interrupt = () => end.abort();
  const timer = setTimeout(() => end.abort('timeout'), ms);
  run.addEventListener('abort', interrupt);
  if (run.aborted) interrupt();
  const cancel = () => {
    clearTimeout(timer);
    run.removeEventListener('abort', interrupt);
  };
  return { signal: end.signal, isTimeout: () => end.signal.reason === 'timeout', cancel };
}

/** Follows the proxy settings of the environment, unless the connection must be direct. */
function dispatcherTo(url: string, connections: number, tls: ClientTls | undefined): Dispatcher {
  // `requestTls` is for connections to the deployment through a proxy.
  const options = { connections, pipelining: 1, ...(tls === undefined ? {} : { connect: tls, requestTls: tls }) };
  return mustBeDirect(url) ? new Agent(options) : new EnvHttpProxyAgent(options);
}

/** Plain HTTP to this machine bypasses proxies, because a proxy could read the key. */
function mustBeDirect(url: string): boolean {
  return url.startsWith('http:') && isLoopback(url);
}

/** Returns what a client may have mistaken if a port does not speak the protocol of the URL. */
function otherScheme(error: unknown, url: string): string | undefined {
  const code = codeOf(error) ?? '';
  if (url.startsWith('https:') && /SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)|^EPROTO$/.test(code)) {
    return `the port does not speak TLS: use http:// if the server speaks plain HTTP (${code})`;
  }
  if (error instanceof Error && error.name === 'HTTPParserError') {
    const advice = url.startsWith('http:') ? 'use https:// if the port speaks TLS; ' : '';
    return `the response is not HTTP/1.1: ${advice}the kit speaks HTTP/2 only over TLS`;
  }
  return undefined;
}

const closedCodes = /^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE)$/;

const unreachable = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT)$/;

/** Describes a network error. Connection errors for several addresses come in an error without its own message. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ');
  const code = codeOf(error) ?? '';
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'ENOTFOUND') return 'host not found';
  if (closedCodes.test(code)) return `the server closed the connection (${code})`;
  if (/^(?:ERR_SSL|EPROTO)/.test(code)) return `the TLS handshake failed (${code})`;
  const message = error instanceof Error ? error.message : String(error);
  return code === '' ? message : `${message} (${code})`;
}

/** Headers that the kit reads, so that no number of other headers hides them. */
const read: ReadonlySet<string> = new Set([
  ...Object.values(responseHeaders),
  ...['content-type', 'content-encoding', 'content-length', 'location', 'etag', 'www-authenticate'],
]);

/** Most headers of one response that the kit keeps: of each name that it reads, and of all other names together. */
const mostHeaders = { ofName: 8, others: 64 };

/**
 * Returns the headers to keep. Converts names to lower case, except names with a secret: Base64 is unreadable in
 * another case. White space around a value is not part of it (RFC 9110, section 5.5). The HTTP parser removes only
 * leading white space.
 */
function keptHeaders(pairs: readonly string[], redact: Redact): Headers {
  const kept: Headers[number][] = [];
  const times = new Map<string, number>();
  for (let index = 0; index + 1 < pairs.length; index += 2) {
    const [given = '', value = ''] = pairs.slice(index, index + 2);
    const name = given.toLowerCase();
    const counted = read.has(name) ? name : '';
    const count = (times.get(counted) ?? 0) + 1;
    times.set(counted, count);
    if (count > (counted === '' ? mostHeaders.others : mostHeaders.ofName)) continue;
    const shown = counted === '' ? redact(given) : given;
    kept.push([shown === given ? name : shown, redact(value.replace(/^[ \t]+|[ \t]+$/g, ''))]);
  }
  return kept;
}
