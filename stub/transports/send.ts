import type { ServerResponse } from 'node:http';
import type { Delivery, StubResponse, Subscribe } from '../server/handle.ts';

/** Sends an answer as its delivery says; what has no end of its own ends when the server closes. */
export function send(response: ServerResponse, answer: StubResponse, closing: AbortSignal): void {
  const { delivery, events } = answer;
  if (events !== undefined) stream(response, answer, events, closing);
  else if (delivery === undefined) write(response, answer);
  else deliver(response, answer, delivery);
}

function deliver(response: ServerResponse, answer: StubResponse, { delayMs, cutAtBytes }: Delivery): void {
  const now = (): void => {
    if (cutAtBytes === undefined) write(response, answer);
    else cut(response, answer, cutAtBytes);
  };
  if (delayMs === undefined) now();
  // The connection keeps the process alive for as long as somebody waits.
  else setTimeout(now, delayMs).unref();
}

function write(response: ServerResponse, { status, headers, body, delivery = {} }: StubResponse): void {
  if (delivery.closes === true) response.shouldKeepAlive = false;
  if (delivery.inPieces === true) {
    writeInPieces(response, status, headers, Buffer.from(body));
    return;
  }
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  // As a text it goes out in one piece with the head.
  response.end(body);
}

/** Three pieces, whose borders may lie within a character. */
function writeInPieces(
  response: ServerResponse,
  status: number,
  headers: StubResponse['headers'],
  bytes: Buffer,
): void {
  response.writeHead(status, headers);
  const third = Math.max(1, Math.ceil(bytes.length / 3));
  for (let at = 0; at < bytes.length; at += third) response.write(bytes.subarray(at, at + third));
  response.end();
}

/** Promises the whole body and ends the connection before that is there; negative: without a word. */
function cut(response: ServerResponse, { status, headers, body }: StubResponse, atBytes: number): void {
  if (atBytes < 0) {
    response.destroy();
    return;
  }
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  response.write(bytes.subarray(0, Math.min(atBytes, bytes.length - 1)), () => response.destroy());
}

/** Most that waits for a listener who does not read. */
const unreadLimitBytes = 1_048_576;

function stream(
  response: ServerResponse,
  { status, headers, body }: StubResponse,
  events: Subscribe,
  closing: AbortSignal,
): void {
  response.writeHead(status, headers);
  response.write(body);
  const close = (): void => {
    response.end();
  };
  const end = events((text) => {
    response.write(text);
    if (response.writableLength > unreadLimitBytes) response.destroy();
  }, close);
  closing.addEventListener('abort', close, { once: true });
  response.on('close', () => {
    closing.removeEventListener('abort', close);
    end();
  });
}
