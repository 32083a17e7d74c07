import { Readable } from 'node:stream';
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import type { Answer } from '../exchange.ts';
import type { HeaderList } from '../result.ts';
import { isLoopback } from '../target/base-url.ts';

/** Nesting beyond which nothing is looked at: far from what any tool answers, and well within what can be walked through. */
const mostLevels = 200;

/** As much as is kept of a body that is not read to its end. */
const keptBytes = 16 * 1024;

export interface Sending {
  method: string;
  url: string;
  headers: HeaderList;
  body: string | Uint8Array | AsyncIterable<Uint8Array> | null;
  /** On a connection of its own, so that no earlier call on it can blur whether this one arrived. */
  fresh: boolean;
  /** A longer answer is not read to its end. */
  mostBytes: number;
  signal: AbortSignal;
}

/** How sending ended. `beforeAnswer` tells whether a repetition could still find the deployment untouched. */
export type Sent = { answer: Answer } | { problem: string; beforeAnswer: boolean; timedOut: boolean };

export interface TransportOptions {
  timeoutSeconds: number;
  connections: number;
  /** For targets within this process; otherwise connections are opened as the environment's proxy settings say. */
  dispatcher?: Dispatcher | undefined;
}

/** Sends single requests and reads whole answers. Redirects are never followed, and nothing is repeated here. */
export class Transport {
  readonly #timeoutMs: number;
  readonly #connections: number;
  readonly #given: Dispatcher | undefined;
  /** One that uses no proxy and one that may, opened on first use. */
  readonly #shared = new Map<boolean, Dispatcher>();

  constructor(options: TransportOptions) {
    this.#timeoutMs = options.timeoutSeconds * 1000;
    this.#connections = options.connections;
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
        headers: sending.headers.flat(),
        body: streamed(sending.body),
        dispatcher: own ?? this.#given ?? this.#sharedTo(sending.url),
        signal: AbortSignal.any([sending.signal, timeout]),
        headersTimeout: this.#timeoutMs,
        bodyTimeout: this.#timeoutMs,
      });
      status = response.statusCode;
      const head = { status: response.statusCode, headers: headerList(response.headers) };
      return { answer: { ...head, ...(await readBody(response.body, sending.mostBytes)) } };
    } catch (error) {
      if (sending.signal.aborted) return { problem: 'the run was interrupted', beforeAnswer: false, timedOut: false };
      const timedOut = timeout.aborted || /timeout/i.test(codeOf(error) ?? '');
      const what = timedOut ? `no whole answer within ${this.#timeoutMs / 1000} s` : reason(error);
      return {
        problem: status === undefined ? what : `the answer, HTTP ${status}, broke off: ${what}`,
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

type Body = Pick<Answer, 'text' | 'json' | 'cutAtBytes' | 'unread'>;

async function readBody(stream: AsyncIterable<Buffer>, mostBytes: number): Promise<Body> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length <= mostBytes) continue;
    const text = Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8');
    return { text, json: undefined, cutAtBytes: keptBytes, unread: `a body of more than ${mostBytes} bytes` };
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const json = parse(text);
  if (!isDeeper(json, mostLevels)) return { text, json };
  return { text, json: undefined, unread: `a body nested more than ${mostLevels} levels deep` };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}

function headerList(headers: Readonly<Record<string, string | string[] | undefined>>): HeaderList {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name.toLowerCase(), each]),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
