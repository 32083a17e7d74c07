import { STATUS_CODES } from 'node:http';
import { type Dispatcher, errors } from 'undici';
import { bodyLimitBytes, type Handle, type StubRequest, type StubResponse } from '../server/handle.ts';
import { nextTurn } from './next-turn.ts';
import { trickle } from './trickle.ts';

type Options = Dispatcher.DispatchOptions;

/** One request of the dispatcher. It is also the controller that undici passes to the handler. */
export class DispatchedCall implements Dispatcher.DispatchController {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #onEnd: () => void;
  #ended = false;
  #reason: Error | null = null;
  #paused = false;
  #abandoned: (() => void) | undefined;
  /** Pending work until the reader resumes. */
  #rest: (() => void) | undefined;
  rawHeaders: string[] | null = null;
  rawTrailers: string[] | null = null;

  constructor(handler: Dispatcher.DispatchHandler, onEnd: () => void) {
    this.#handler = handler;
    this.#onEnd = onEnd;
  }

  get aborted(): boolean {
    return this.#reason !== null;
  }

  get reason(): Error | null {
    return this.#reason;
  }

  get paused(): boolean {
    return this.#paused;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    const rest = this.#rest;
    this.#rest = undefined;
    rest?.();
  }

  abort(reason: Error): void {
    if (this.#ended) return;
    this.#reason = reason;
    this.#abandoned?.();
    this.#end();
    this.#handler.onResponseError?.(this, reason);
  }

  /** Starts the request and responds on a later turn of the event loop. All errors go to the handler. */
  start(options: Options, handle: Handle): void {
    const answer = (body: Uint8Array | null): void => {
      nextTurn(() => this.#guard(() => this.#respond(handle(toRequest(options, body)))));
    };
    this.#guard(() => {
      this.#handler.onRequestStart?.(this, {});
      const body = collect(options.body);
      if (body instanceof Promise) body.then(answer, (error: Error) => this.abort(error));
      else answer(body);
    });
  }

  #respond(response: StubResponse): void {
    this.#abandoned = response.abandoned;
    const { delayMs } = response.delivery ?? {};
    if (delayMs === undefined) this.#deliver(response);
    else setTimeout(() => this.#guard(() => this.#deliver(response)), delayMs);
  }

  #deliver(response: StubResponse): void {
    const { cutAtBytes, trickleMs, resets } = response.delivery ?? {};
    if (cutAtBytes !== undefined && cutAtBytes < 0) {
      this.abort(lost(resets));
      return;
    }
    const headers = { ...response.headers, 'content-length': String(Buffer.byteLength(response.body)) };
    this.rawHeaders = Object.entries(headers).flat();
    const { status, body } = response;
    this.#handler.onResponseStarted?.();
    this.#handler.onResponseStart?.(this, status, headers, STATUS_CODES[status] ?? '');
    if (trickleMs !== undefined) {
      this.#trickle(body, trickleMs);
      return;
    }
    this.#whenReady(() => {
      const bytes = Buffer.from(body).subarray(0, cutAtBytes);
      if (bytes.length > 0) this.#handler.onResponseData?.(this, bytes);
      if (cutAtBytes !== undefined) {
        this.abort(lost(resets));
        return;
      }
      this.#whenReady(() => {
        this.#end();
        this.#handler.onResponseEnd?.(this, {});
      });
    });
  }

  /** Sends the body in chunks. Chunks wait while the reader is paused, and are discarded after an abort. */
  #trickle(body: string, overMs: number): void {
    const waiting: (() => void)[] = [];
    let isHeld = false;
    const proceed = (): void => {
      const next = isHeld ? undefined : waiting.shift();
      if (next === undefined) return;
      isHeld = true;
      this.#whenReady(() => {
        isHeld = false;
        next();
        proceed();
      });
    };
    const add = (work: () => void): void => {
      waiting.push(work);
      proceed();
    };
    const end = () => {
      this.#end();
      this.#handler.onResponseEnd?.(this, {});
    };
    trickle(
      body,
      overMs,
      (piece) => add(() => this.#handler.onResponseData?.(this, Buffer.from(piece))),
      () => add(end),
    );
  }

  #whenReady(next: () => void): void {
    const guarded = (): void => this.#guard(next);
    if (this.#paused) this.#rest = guarded;
    else guarded();
  }

  #guard(work: () => void): void {
    if (this.#ended) return;
    try {
      work();
    } catch (error) {
      this.abort(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #end(): void {
    this.#ended = true;
    this.#onEnd();
  }
}

/** Returns the error of a connection that closes before the response is complete. */
function lost(resets = false): Error {
  if (resets) return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  return new errors.SocketError('other side closed');
}

function toRequest({ path, method, headers, query }: Options, body: Uint8Array | null): StubRequest {
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
  return { method, path: path + search, headers: toHeaders(headers), body };
}

/** Normalizes headers. undici accepts an object, a flat list of names and values, or pairs. */
function toHeaders(headers: Options['headers']): StubRequest['headers'] {
  if (headers === null || headers === undefined) return {};
  const result: Record<string, string | readonly string[] | undefined> = {};
  for (const [name, value] of pairs(headers)) result[name.toLowerCase()] = value;
  return result;
}

type Pair = readonly [string, string | readonly string[] | undefined];

function pairs(headers: NonNullable<Options['headers']>): Iterable<Pair> {
  if (Array.isArray(headers))
    return headers.flatMap((name, at): Pair[] => (at % 2 === 0 ? [[name, headers[at + 1]]] : []));
  if (Symbol.iterator in headers) return headers as Iterable<Pair>;
  return Object.entries(headers).map(
    ([name, value]): Pair => [name, typeof value === 'number' ? String(value) : value],
  );
}

/** Collects the bytes of a body. Streams are read until they end or exceed the body limit. */
function collect(body: unknown): Uint8Array | null | Promise<Uint8Array> {
  if (body === null || body === undefined) return null;
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return body;
  if (typeof body === 'object' && (Symbol.asyncIterator in body || Symbol.iterator in body)) {
    // `for await` reads synchronous and asynchronous iterables alike. `gather` checks the type of each chunk.
    return gather(body as AsyncIterable<unknown> | Iterable<unknown>);
  }
  throw new TypeError('The stub takes text, bytes and what can be iterated over as a body.');
}

async function gather(source: AsyncIterable<unknown> | Iterable<unknown>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (!(bytes instanceof Uint8Array)) throw new TypeError('A body is made of text and bytes.');
    chunks.push(bytes);
    length += bytes.length;
    if (length > bodyLimitBytes) break;
  }
  return Buffer.concat(chunks);
}
