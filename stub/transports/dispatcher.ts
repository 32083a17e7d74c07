import { createRequire } from 'node:module';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { bodyLimitBytes, type Delivery, type Handle, type StubRequest } from '../server/handle.ts';
import { trickle } from './send.ts';

// Importing `node:http` evaluates all its exports, which is slow.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

type Options = Dispatcher.DispatchOptions;

/** Loads undici on demand, because that takes longer than to load the stub. */
const load = (): typeof import('undici') => createRequire(import.meta.url)('undici');

/**
 * Creates an undici dispatcher that responds in process, for any origin, with keep-alive connections. Responses arrive
 * on a later turn of the event loop, so requests sent together are concurrent. It ignores pauses of the reader, because
 * responses are small.
 */
export function createDispatcher(handle: Handle): Dispatcher {
  const undici = load();
  const idleConnections: object[] = [];
  // The agent is closed and destroyed like any other, but never gets a request.
  const agent = new undici.Agent();
  const dispatcher: Dispatcher = agent.compose(() => (options, handler) => {
    // Handlers of older undici versions, such as the ones in Node, use other callbacks and would never finish.
    if (handler.onRequestStart === undefined && 'onConnect' in handler) {
      return new undici.Dispatcher1Wrapper(dispatcher).dispatch(options, handler);
    }
    const call = new Call(handler);
    if (agent.closed || agent.destroyed) call.abort(new undici.errors.ClientClosedError());
    else void call.start(options, handle, idleConnections);
    return true;
  });
  return dispatcher;
}

/** Sends a request by a dispatcher, with undici's own `fetch`: that of other runtimes takes no dispatcher. */
export async function fetchBy(dispatcher: Dispatcher, request: Request): Promise<Response> {
  const { method, url, signal } = request;
  const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
  const how = { method, headers: [...request.headers], body, signal, dispatcher };
  const { status, headers, body: text } = await load().fetch(url, how);
  // The types of Node.js and of the DOM both describe this class.
  return new Response(text as ReadableStream<Uint8Array> | null, { status, headers: [...headers] });
}

/** One request. It is also the controller that undici passes to the handler. */
class Call implements Dispatcher.DispatchController {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #stop = new AbortController();
  #abandoned: (() => void) | undefined;
  #isOver = false;
  aborted = false;
  reason: Error | null = null;
  readonly paused = false;
  rawHeaders: string[] | null = null;
  rawTrailers: string[] | null = null;

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler;
  }

  pause(): void {}

  resume(): void {}

  abort(reason: Error): void {
    if (!this.#isOver) this.#abandoned?.();
    this.#fail(reason);
  }

  /** Errors of the stub and of the handler go to the handler. */
  async start(options: Options, handle: Handle, idleConnections: object[]): Promise<void> {
    const { signal } = this.#stop;
    try {
      this.#handler.onRequestStart?.(this, {});
      const request = toRequest(options, await collect(options.body));
      const connection = idleConnections.pop() ?? {};
      await nextTurn(undefined, { signal });
      const { status, headers, body, delivery, abandoned } = handle({ ...request, connection });
      this.#abandoned = abandoned;
      const { delayMs, cutAtBytes, trickleMs, resets } = delivery ?? {};
      if (delayMs !== undefined) await wait(delayMs, undefined, { signal });
      if (cutAtBytes !== undefined && cutAtBytes < 0) throw lost(resets);
      const bytes = Buffer.from(body);
      const all = { ...headers, 'content-length': String(bytes.length) };
      this.rawHeaders = Object.entries(all).flat();
      this.#handler.onResponseStarted?.();
      this.#handler.onResponseStart?.(this, status, all, STATUS_CODES[status] ?? '');
      const sent = bytes.subarray(0, cutAtBytes);
      const pieces = trickleMs === undefined ? (sent.length > 0 ? [sent] : []) : trickle(sent, trickleMs, { signal });
      for await (const piece of pieces) {
        signal.throwIfAborted();
        this.#handler.onResponseData?.(this, Buffer.from(piece));
      }
      signal.throwIfAborted();
      if (cutAtBytes !== undefined) {
        // A later turn, so that the client can read the start of the body first.
        await nextTurn();
        throw lost(resets);
      }
      this.#isOver = true;
      idleConnections.push(connection);
      this.#handler.onResponseEnd?.(this, {});
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stop.abort();
    this.aborted = true;
    this.reason = error instanceof Error ? error : new Error(String(error));
    this.#handler.onResponseError?.(this, this.reason);
  }
}

/** Returns the error of a connection that closes before the response is complete, as Node.js reports it. */
function lost(resets: Delivery['resets'] = false): Error {
  return resets
    ? Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    : Object.assign(new Error('other side closed'), { name: 'SocketError', code: 'UND_ERR_SOCKET' });
}

function toRequest({ path, method, headers, query }: Options, body: Uint8Array | null): StubRequest {
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
  return { method, path: path + search, headers: toHeaders(headers), body };
}

type Pair = readonly [string, string | readonly string[] | undefined];

/** Normalizes headers. undici accepts an object, a flat list of names and values, or pairs. */
function toHeaders(headers: Options['headers']): StubRequest['headers'] {
  if (headers === null || headers === undefined) return {};
  return Object.fromEntries(pairs(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function pairs(headers: NonNullable<Options['headers']>): Pair[] {
  if (Array.isArray(headers))
    return headers.flatMap((name, at): Pair[] => (at % 2 === 0 ? [[name, headers[at + 1]]] : []));
  if (Symbol.iterator in headers) return [...(headers as Iterable<Pair>)];
  return Object.entries(headers).map(
    ([name, value]): Pair => [name, typeof value === 'number' ? String(value) : value],
  );
}

/** Collects the bytes of a body. Streams are read until they end or exceed the body limit. */
async function collect(body: unknown): Promise<Uint8Array | null> {
  if (body === null || body === undefined) return null;
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return body;
  if (typeof body !== 'object' || !(Symbol.asyncIterator in body || Symbol.iterator in body))
    throw new TypeError('The stub takes text, bytes and what can be iterated over as a body.');
  const chunks: Uint8Array[] = [];
  let length = 0;
  // `for await` reads synchronous and asynchronous iterables alike. The type of each chunk is checked.
  for await (const chunk of body as AsyncIterable<unknown>) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (!(bytes instanceof Uint8Array)) throw new TypeError('A body is made of text and bytes.');
    chunks.push(bytes);
    length += bytes.length;
    if (length > bodyLimitBytes) break;
  }
  return Buffer.concat(chunks);
}
