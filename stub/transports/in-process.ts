import type { Delivery, Handle, StubRequest, StubResponse } from '../server/handle.ts';

/**
 * Runs a callback on a later turn of the event loop. Keeps the original `setImmediate`, so that responses arrive even
 * if a test uses fake timers.
 */
const nextTurn = setImmediate;

/** Receives a response in process, like the parser of an HTTP client. */
interface Receiver {
  readonly onHead: (response: StubResponse, length: number) => void;
  readonly onData: (bytes: Uint8Array) => void;
  readonly onEnd: () => void;
  /** Called once if the connection is lost, if the handler throws, or after an abort. No other callback follows. */
  readonly onError: (error: unknown) => void;
}

/** Sends a request and returns a function that aborts it. */
export type Sender = (request: Omit<StubRequest, 'connection'>, receiver: Receiver) => (reason: unknown) => void;

/**
 * Creates a client that reaches the stub without a network, with keep-alive connections. Responses arrive on a later
 * turn of the event loop, so requests sent together are concurrent.
 */
export function createSender(handle: Handle): Sender {
  const idle: object[] = [];
  return (request, { onHead, onData, onEnd, onError }) => {
    const connection = idle.pop() ?? {};
    let over = false;
    let abandoned: (() => void) | undefined;
    let stop = (): void => undefined;
    const end = (): void => {
      over = true;
      idle.push(connection);
      onEnd();
    };
    const fail = (error: unknown): void => {
      if (over) return;
      over = true;
      stop();
      onError(error);
    };
    /** Errors of the receiver go to the receiver. */
    const guarded = (work: () => void) => (): void => {
      if (over) return;
      try {
        work();
      } catch (error) {
        fail(error);
      }
    };
    const deliver = (response: StubResponse): void => {
      const { cutAtBytes, trickleMs, resets } = response.delivery ?? {};
      if (cutAtBytes !== undefined && cutAtBytes < 0) {
        fail(lost(resets));
        return;
      }
      const bytes = Buffer.from(response.body);
      onHead(response, bytes.length);
      if (trickleMs !== undefined) {
        stop = trickle(bytes, trickleMs, (piece) => guarded(() => onData(piece))(), guarded(end));
        return;
      }
      const sent = bytes.subarray(0, cutAtBytes);
      if (sent.length > 0) onData(sent);
      if (cutAtBytes === undefined) end();
      // A later turn, so that the client can read the start of the body first.
      else nextTurn(() => fail(lost(resets)));
    };
    nextTurn(
      guarded(() => {
        const response = handle({ ...request, connection });
        abandoned = response.abandoned;
        const { delayMs } = response.delivery ?? {};
        if (delayMs === undefined) deliver(response);
        else
          setTimeout(
            guarded(() => deliver(response)),
            delayMs,
          );
      }),
    );
    return (reason) => {
      if (!over) abandoned?.();
      fail(reason);
    };
  };
}

/** Returns the error of a connection that closes before the response is complete, as Node.js reports it. */
function lost(resets: Delivery['resets'] = false): Error {
  return resets
    ? Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    : Object.assign(new Error('other side closed'), { name: 'SocketError', code: 'UND_ERR_SOCKET' });
}

const mostPieces = 10;

/** Passes a body to `write` in pieces, evenly over a time, then calls `end`. Returns a function that stops it. */
export function trickle(
  bytes: Uint8Array,
  overMs: number,
  write: (piece: Uint8Array) => void,
  end: () => void,
): () => void {
  const count = Math.max(1, Math.min(mostPieces, bytes.length));
  const length = Math.ceil(bytes.length / count);
  let at = 0;
  const timer = setInterval(() => {
    if (at < bytes.length) write(bytes.subarray(at, at + length));
    at += length;
    if (at < bytes.length) return;
    clearInterval(timer);
    end();
  }, overMs / count);
  return () => clearInterval(timer);
}
