import type { Handle, StubRequest } from '../server/handle.ts';
import { createSender } from './in-process.ts';

/** The part of `fetch` that clients of the API need. The global `fetch` has this type. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

type Sent = Omit<StubRequest, 'connection'>;

/**
 * Creates a fetch function that responds in process, for any origin. Rejects with a TypeError if the connection is
 * lost, and with the signal's reason if aborted. Requests sent together are concurrent.
 */
export function createFetch(handle: Handle): Fetch {
  const send = createSender(handle);
  return async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    signal?.throwIfAborted();
    const sent = quickly(input, init) ?? (await slowly(new Request(input, init)));
    return new Promise<Response>((resolve, reject) => {
      let body: ReadableStreamDefaultController<Uint8Array> | undefined;
      const abort = (): void => stop(signal?.reason);
      const done = (): void => signal?.removeEventListener('abort', abort);
      const stop = send(sent, {
        onHead({ status, headers, body: text }, length) {
          const stream = new ReadableStream<Uint8Array>({
            start: (controller) => {
              body = controller;
            },
            cancel: (reason) => stop(reason),
          });
          const all = { ...headers, 'content-length': String(length) };
          resolve(new Response(text === '' ? null : stream, { status, headers: all }));
        },
        onData: (bytes) => body?.enqueue(bytes),
        onEnd() {
          done();
          body?.close();
        },
        onError(error) {
          done();
          const isAbort = signal?.aborted === true && error === signal.reason;
          const words = body === undefined ? 'fetch failed' : 'terminated';
          const reason = isAbort || !isLost(error) ? error : new TypeError(words, { cause: error });
          reject(reason);
          body?.error(reason);
        },
      });
      signal?.addEventListener('abort', abort, { once: true });
    });
  };
}

const isLost = (error: unknown): boolean => error instanceof Error && 'code' in error;

/** Reads common inputs without creating a Request, which takes ten times as long as the response. */
function quickly(input: string | URL | Request, init: RequestInit = {}): Sent | undefined {
  if (input instanceof Request) return undefined;
  const { method = 'GET', body = null } = init;
  if (body !== null && typeof body !== 'string' && !(body instanceof Uint8Array)) return undefined;
  const headers = plain(init.headers);
  if (typeof body === 'string') headers['content-type'] ??= 'text/plain;charset=UTF-8';
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return { method: method.toUpperCase(), path: pathOf(String(input)), headers, body: bytes };
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
