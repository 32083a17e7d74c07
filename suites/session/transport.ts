import { Readable } from 'node:stream';
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import type { Answer } from '../exchange.ts';
import type { Redact } from '../history/redaction/redactor.ts';
import type { HeaderList } from '../result.ts';
import { isLoopback } from '../target/base-url.ts';
import { Receiver } from './received.ts';

export interface Sending {
  method: string;
  url: string;
  headers: HeaderList;
  body: string | Uint8Array | AsyncIterable<Uint8Array> | null;
  /** On a connection of its own, so that no earlier call on it can blur whether this one arrived. */
  fresh: boolean;
  signal: AbortSignal;
}

/** How sending ended. `beforeAnswer` tells whether a repetition could still find the deployment untouched. */
export type Sent = { answer: Answer } | { problem: string; beforeAnswer: boolean; timedOut: boolean };

export interface TransportOptions {
  timeoutSeconds: number;
  connections: number;
  /** Applied to everything that is received, so that nothing in the kit holds a secret that a response repeats. */
  redact: Redact;
  /** Sent with every request that brings none of its own. */
  userAgent: string;
  /** For targets within this process; otherwise connections are opened as the environment's proxy settings say. */
  dispatcher?: Dispatcher | undefined;
}

/** Sends single requests and reads whole answers. Redirects are never followed, and nothing is repeated here. */
export class Transport {
  readonly #timeoutMs: number;
  readonly #connections: number;
  readonly #redact: Redact;
  readonly #userAgent: string;
  readonly #given: Dispatcher | undefined;
  readonly #receiver: Receiver;
  /** One that uses no proxy and one that may, opened on first use. */
  readonly #shared = new Map<boolean, Dispatcher>();

  constructor(options: TransportOptions) {
    this.#timeoutMs = options.timeoutSeconds * 1000;
    this.#connections = options.connections;
    this.#redact = options.redact;
    this.#userAgent = options.userAgent;
    this.#receiver = new Receiver(options.redact);
    this.#given = options.dispatcher;
  }

  async send(sending: Sending): Promise<Sent> {
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    let status: number | undefined;
    let own: Dispatcher | undefined;
    try {
      own = sending.fresh && this.#given === undefined ? dispatcherTo(sending.url, 1) : undefined;
      const response = await request(sending.url, {
        method: sending.method,
        headers: this.#named(sending.headers).flat(),
        body: streamed(sending.body),
        dispatcher: own ?? this.#given ?? this.#sharedTo(sending.url),
        signal: AbortSignal.any([sending.signal, timeout]),
        headersTimeout: this.#timeoutMs,
        bodyTimeout: this.#timeoutMs,
        responseHeaders: 'raw',
      });
      status = response.statusCode;
      // The types do not know that raw headers are names and values in turn.
      const pairs: unknown = response.headers;
      const headers = headerList(Array.isArray(pairs) ? pairs.map(String) : [], this.#redact);
      return { answer: await this.#receiver.receive(status, headers, response.body) };
    } catch (error) {
      if (sending.signal.aborted) return { problem: 'the run was interrupted', beforeAnswer: false, timedOut: false };
      const timedOut = timeout.aborted || /timeout/i.test(codeOf(error) ?? '');
      const what = timedOut ? `no complete response within ${this.#timeoutMs / 1000} s` : this.#redact(reason(error));
      return {
        problem: status === undefined ? what : `the response, HTTP ${status}, ended early: ${what}`,
        beforeAnswer: status === undefined && !timedOut,
        timedOut,
      };
    } finally {
      // Its one call is over; waiting for the socket's end would only slow the next call.
      own?.destroy().catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#shared.values()].map((dispatcher) => dispatcher.destroy()));
  }

  #named(headers: HeaderList): HeaderList {
    if (headers.some(([name]) => name.toLowerCase() === 'user-agent')) return headers;
    return [...headers, ['user-agent', this.#userAgent]];
  }

  #sharedTo(url: string): Dispatcher {
    const direct = mustBeDirect(url);
    const dispatcher = this.#shared.get(direct) ?? dispatcherTo(url, this.#connections);
    this.#shared.set(direct, dispatcher);
    return dispatcher;
  }
}

/** undici takes a Node stream, not any iterable. */
function streamed(body: Sending['body']): string | Uint8Array | Readable | null {
  return body === null || typeof body === 'string' || body instanceof Uint8Array ? body : Readable.from(body);
}

/** Connections as the environment's proxy settings say, where a key may go that way. */
function dispatcherTo(url: string, connections: number): Dispatcher {
  const options = { connections, pipelining: 1 };
  return mustBeDirect(url) ? new Agent(options) : new EnvHttpProxyAgent(options);
}

/** Plain http to this machine goes by no proxy: the proxy could read the key, and this machine is all that may. */
function mustBeDirect(url: string): boolean {
  return url.startsWith('http:') && isLoopback(url);
}

/**
 * Names in lower case, but for a secret: it is found in the case in which it came, since base64 is unreadable in
 * another. White space around a value is no part of it (RFC 9110, section 5.5); the HTTP parser leaves what follows it.
 */
function headerList(pairs: readonly string[], redact: Redact): HeaderList {
  return Array.from({ length: pairs.length / 2 }, (_, index) => {
    const [name = '', value = ''] = pairs.slice(2 * index);
    const shown = redact(name);
    return [shown === name ? name.toLowerCase() : shown, redact(value.replace(/^[ \t]+|[ \t]+$/g, ''))];
  });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** A network error in words; connection errors to several addresses come wrapped without a message of their own. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ');
  const code = codeOf(error);
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'ENOTFOUND') return 'host not found';
  const message = error instanceof Error ? error.message : String(error);
  return code === undefined ? message : `${message} (${code})`;
}
