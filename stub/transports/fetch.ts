import type { Handle, StubRequest, StubResponse } from '../server/handle.ts';
import { createConnectionPool } from './connection-pool.ts';
import { nextTurn } from './next-turn.ts';
import { trickle } from './trickle.ts';

/** The part of `fetch` that clients of the API need. The global `fetch` has this type. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

type Sent = Omit<StubRequest, 'connection'>;

/**
 * Creates a fetch function that responds in process, for any origin. Rejects with a TypeError if the connection is
 * lost, and with the signal's reason if aborted. Requests sent together are concurrent.
 */
export function createFetch(handle: Handle): Fetch {
  const pool = createConnectionPool();
  return async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    signal?.throwIfAborted();
    const read = quickly(input, init) ?? slowly(new Request(input, init));
    const sent = read instanceof Promise ? await read : read;
    const connection = pool.take();
    const whole = (): void => pool.give(connection);
    return new Promise<Response>((resolve, reject) => {
      let abandoned: (() => void) | undefined;
      const abort = (): void => {
        abandoned?.();
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      const deliver = (response: StubResponse): void => {
        if (signal?.aborted === true) return;
        signal?.removeEventListener('abort', abort);
        const { cutAtBytes, trickleMs, resets } = response.delivery ?? {};
        if (cutAtBytes !== undefined && cutAtBytes < 0) reject(lost(resets));
        else resolve(toResponse(response, signal, whole));
        if (cutAtBytes === undefined && trickleMs === undefined) whole();
      };
      nextTurn(() => {
        if (signal?.aborted === true) return;
        try {
          const response = handle({ ...sent, connection });
          abandoned = response.abandoned;
          const { delayMs } = response.delivery ?? {};
          if (delayMs === undefined) deliver(response);
          else setTimeout(deliver, delayMs, response);
        } catch (error) {
          reject(error);
        }
      });
    });
  };
}

/** Reads common inputs without creating a Request, which takes ten times as long as the response. */
function quickly(input: string | URL | Request, init: RequestInit = {}): Sent | undefined {
  if (input instanceof Request) return undefined;
  const { method = 'GET', body = null } = init;
  if (body !== null && typeof body !== 'string' && !(body instanceof Uint8Array)) return undefined;
  const headers = plain(init.headers);
  if (typeof body === 'string') headers['content-type'] ??= 'text/plain;charset=UTF-8';
  return {
    method: method.toUpperCase(),
    path: pathOf(String(input)),
    headers,
    body: typeof body === 'string' ? Buffer.from(body) : body,
  };
}

async function slowly(request: Request): Promise<Sent> {
  const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
  return { method: request.method, path: pathOf(request.url), headers: plain(request.headers), body };
}

function plain(headers: RequestInit['headers']): Record<string, string> {
  const result: Record<string, string> = {};
  if (headers === undefined) return result;
  const pairs = Symbol.iterator in headers ? headers : Object.entries(headers);
  // White space around a value is not part of it (RFC 9110, section 5.5).
  for (const [name = '', value = ''] of pairs) result[name.toLowerCase()] = String(value).trim();
  return result;
}

const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** Returns path and query as sent over the network. Throws a TypeError for an invalid URL. */
function pathOf(address: string): string {
  const start = origin.exec(address)?.[0].length;
  if (start === undefined || !/^[\w/.~?=&%-]*$/.test(address.slice(start))) {
    const { pathname, search } = new URL(address);
    return pathname + search;
  }
  const path = address.slice(start);
  return path.startsWith('/') ? path : `/${path}`;
}

type Signal = AbortSignal | null | undefined;

/** @param whole called after a slow body was sent to its end */
function toResponse(response: StubResponse, signal: Signal, whole: () => void): Response {
  const { status, headers, body, delivery = {} } = response;
  const { cutAtBytes, trickleMs, resets } = delivery;
  const slow = trickleMs === undefined ? body : slowBody(response, trickleMs, signal, whole);
  const bytes = cutAtBytes === undefined ? slow : cutShort(Buffer.from(body), cutAtBytes, resets);
  return new Response(body === '' ? null : bytes, {
    status,
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
  });
}

/** Streams a body over a time. If the client aborts or cancels, the response is abandoned. */
function slowBody(
  { body, abandoned }: StubResponse,
  overMs: number,
  signal: Signal,
  whole: () => void,
): ReadableStream<Uint8Array> {
  let abandon = (): void => undefined;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const abort = (): void => {
        abandon();
        controller.error(signal?.reason);
      };
      const stop = trickle(
        body,
        overMs,
        (piece) => controller.enqueue(piece),
        () => {
          signal?.removeEventListener('abort', abort);
          controller.close();
          whole();
        },
      );
      abandon = () => {
        stop();
        abandoned?.();
      };
      signal?.addEventListener('abort', abort, { once: true });
    },
    cancel: () => abandon(),
  });
}

/** Streams the start of a body, then fails like a closed connection. */
function cutShort(bytes: Uint8Array, at: number, resets?: boolean): ReadableStream<Uint8Array> {
  const beginning = bytes.subarray(0, Math.min(at, bytes.length - 1));
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (beginning.length > 0) controller.enqueue(beginning);
    },
    pull: (controller) => controller.error(new TypeError('terminated', { cause: closed(resets) })),
  });
}

function lost(resets?: boolean): TypeError {
  return new TypeError('fetch failed', { cause: closed(resets) });
}

function closed(resets = false): Error {
  if (resets) return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  return Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
}
