import type { ServerResponse } from 'node:http';
import type { Delivery, StubResponse, Subscribe } from '../server/handle.ts';
import { trickle } from './trickle.ts';

/** Sends a response as its delivery says; what has no end of its own ends when the server closes. */
export function send(out: ServerResponse, response: StubResponse, closing: AbortSignal): void {
  const { delivery, events } = response;
  if (events !== undefined) stream(out, response, events, closing);
  else if (delivery === undefined) write(out, response);
  else deliver(out, response, delivery);
}

function deliver(out: ServerResponse, response: StubResponse, { delayMs, cutAtBytes }: Delivery): void {
  const now = (): void => {
    if (cutAtBytes === undefined) write(out, response);
    else cut(out, response, cutAtBytes);
  };
  if (delayMs === undefined) now();
  // The connection keeps the process alive for as long as somebody waits.
  else setTimeout(now, delayMs).unref();
}

function write(out: ServerResponse, { status, headers, body, delivery = {} }: StubResponse): void {
  if (delivery.closes === true) out.shouldKeepAlive = false;
  if (delivery.trickleMs !== undefined) {
    out.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
    out.flushHeaders();
    const stop = trickle(
      body,
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
  // As a text it goes out in one piece with the head.
  out.end(body);
}

/** Three pieces, whose borders may lie within a character. */
function writeInPieces(out: ServerResponse, status: number, headers: StubResponse['headers'], bytes: Buffer): void {
  out.writeHead(status, headers);
  const third = Math.max(1, Math.ceil(bytes.length / 3));
  for (let at = 0; at < bytes.length; at += third) out.write(bytes.subarray(at, at + third));
  out.end();
}

/** Promises the whole body and ends the connection before that is there; negative: without a word. */
function cut(out: ServerResponse, { status, headers, body }: StubResponse, atBytes: number): void {
  if (atBytes < 0) {
    out.destroy();
    return;
  }
  const bytes = Buffer.from(body);
  out.writeHead(status, { ...headers, 'content-length': bytes.length });
  out.write(bytes.subarray(0, Math.min(atBytes, bytes.length - 1)), () => out.destroy());
}

/** Most that waits for a listener who does not read. */
const unreadLimitBytes = 1_048_576;

function stream(
  out: ServerResponse,
  { status, headers, body }: StubResponse,
  events: Subscribe,
  closing: AbortSignal,
): void {
  out.writeHead(status, headers);
  out.write(body);
  const close = (): void => {
    out.end();
  };
  const end = events((text) => {
    out.write(text);
    if (out.writableLength > unreadLimitBytes) out.destroy();
  }, close);
  closing.addEventListener('abort', close, { once: true });
  out.on('close', () => {
    closing.removeEventListener('abort', close);
    end();
  });
}
