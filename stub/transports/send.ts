import type { ServerResponse } from 'node:http';
import type { Delivery, StubResponse } from '../server/handle.ts';
import { trickle } from './in-process.ts';

/** Sends a response according to its delivery, and reports if the client closes the connection first. */
export function send(out: ServerResponse, response: StubResponse): void {
  const { delivery, abandoned } = response;
  if (abandoned !== undefined) out.once('close', () => out.writableFinished || abandoned());
  if (delivery === undefined) write(out, response);
  else deliver(out, response, delivery);
}

function deliver(out: ServerResponse, response: StubResponse, { delayMs, cutAtBytes, resets }: Delivery): void {
  const now = (): void => {
    if (cutAtBytes === undefined) write(out, response);
    else cut(out, response, cutAtBytes, resets === true ? reset : destroy);
  };
  if (delayMs === undefined) now();
  // The timer is unreferenced, because the open connection keeps the process alive while a client waits.
  else setTimeout(now, delayMs).unref();
}

function write(out: ServerResponse, { status, headers, body, delivery = {} }: StubResponse): void {
  if (delivery.closes === true) out.shouldKeepAlive = false;
  if (delivery.trickleMs !== undefined) {
    const bytes = Buffer.from(body);
    out.writeHead(status, { ...headers, 'content-length': bytes.length });
    out.flushHeaders();
    const stop = trickle(
      bytes,
      delivery.trickleMs,
      (piece) => out.write(piece),
      () => out.end(),
    );
    out.on('close', stop);
    return;
  }
  if (delivery.inPieces === true) {
    writeInPieces(out, status, headers, Buffer.from(body));
    return;
  }
  out.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  // A string body is written together with the headers.
  out.end(body);
}

/** Sends the body in three chunks. A chunk can end within a character. */
function writeInPieces(out: ServerResponse, status: number, headers: StubResponse['headers'], bytes: Buffer): void {
  out.writeHead(status, headers);
  const third = Math.max(1, Math.ceil(bytes.length / 3));
  for (let at = 0; at < bytes.length; at += third) out.write(bytes.subarray(at, at + third));
  out.end();
}

/** Announces the full length, then closes the connection early. A negative length closes it without a response. */
function cut(
  out: ServerResponse,
  { status, headers, body }: StubResponse,
  atBytes: number,
  end: (out: ServerResponse) => void,
): void {
  if (atBytes < 0) {
    end(out);
    return;
  }
  const bytes = Buffer.from(body);
  out.writeHead(status, { ...headers, 'content-length': bytes.length });
  out.write(bytes.subarray(0, Math.min(atBytes, bytes.length - 1)), () => end(out));
}

const destroy = (out: ServerResponse): void => {
  out.destroy();
};

/** Resets a TCP connection. A TLS connection is only closed, because Node.js cannot reset it. */
function reset(out: ServerResponse): void {
  const { socket } = out;
  if (socket === null || 'encrypted' in socket) out.destroy();
  else socket.resetAndDestroy();
}
