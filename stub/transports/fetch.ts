import type { Handle } from '../server/handle.ts';
import { createSender } from './in-process.ts';

/** The part of `fetch` that clients of the API need. The global `fetch` has this type. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Creates a fetch function that responds in process, for any origin. Rejects with a TypeError if the connection is
 * lost, and with the signal's reason if aborted. Requests sent together are concurrent.
 */
export function createFetch(handle: Handle): Fetch {
  const send = createSender(handle);
  return async (input, init) => {
    const request = new Request(input, init);
    const { method, url, signal } = request;
    signal.throwIfAborted();
    const { pathname, search } = new URL(url);
    const sent = {
      method,
      path: pathname + search,
      headers: Object.fromEntries(request.headers),
      body: request.body === null ? null : new Uint8Array(await request.arrayBuffer()),
    };
    return new Promise<Response>((resolve, reject) => {
      let body: ReadableStreamDefaultController<Uint8Array> | undefined;
      const abort = (): void => stop(signal.reason);
      const done = (): void => signal.removeEventListener('abort', abort);
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
          const isAbort = signal.aborted && error === signal.reason;
          const words = body === undefined ? 'fetch failed' : 'terminated';
          const reason = isAbort || !isLost(error) ? error : new TypeError(words, { cause: error });
          reject(reason);
          body?.error(reason);
        },
      });
      signal.addEventListener('abort', abort, { once: true });
    });
  };
}

const isLost = (error: unknown): boolean => error instanceof Error && 'code' in error;
