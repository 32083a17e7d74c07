import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Delivery, StubResponse } from '../server/handle.ts';

/** Sends a response according to its delivery, and reports if the client closes the connection first. */
export function send(out: ServerResponse, response: StubResponse): void {
  const { status, headers, body, delivery, abandoned } = response;
  if (abandoned !== undefined) out.once('close', () => out.writableFinished || abandoned());
  if (delivery !== undefined) {
    deliver(out, response, delivery).catch(() => out.destroy());
    return;
  }
  out.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  // A string body is written together with the headers.
  out.end(body);
}

/** A cut body announces its full length. A negative cut closes the connection without a response. */
async function deliver(
  out: ServerResponse,
  { status, headers, body }: StubResponse,
  { delayMs, cutAtBytes, resets, trickleMs }: Delivery,
): Promise<void> {
  // The timer is unreferenced, because the open connection keeps the process alive while a client waits.
  if (delayMs !== undefined) await wait(delayMs, undefined, { ref: false });
  if (out.destroyed) return;
  const breakOff = () => (resets === true ? reset(out) : out.destroy());
  if (cutAtBytes !== undefined && cutAtBytes < 0) {
    breakOff();
    return;
  }
  const bytes = Buffer.from(body);
  out.writeHead(status, { ...headers, 'content-length': bytes.length });
  if (cutAtBytes !== undefined) {
    out.write(bytes.subarray(0, Math.min(cutAtBytes, bytes.length - 1)), breakOff);
    return;
  }
  if (trickleMs !== undefined) {
    out.flushHeaders();
    for await (const piece of trickle(bytes, trickleMs, { ref: false })) {
      if (out.destroyed) return;
      out.write(piece);
    }
  } else out.write(bytes);
  out.end();
}

/** Resets a TCP connection. A TLS connection is only closed, because Node.js cannot reset it. */
function reset(out: ServerResponse): void {
  const { socket } = out;
  if (socket === null || 'encrypted' in socket) out.destroy();
  else socket.resetAndDestroy();
}

const mostPieces = 10;

/** Yields a body in pieces, evenly over a time. `how` applies to the timers. */
export async function* trickle(bytes: Uint8Array, overMs: number, how: Parameters<typeof wait>[2]) {
  const count = Math.min(mostPieces, bytes.length);
  const length = Math.ceil(bytes.length / count);
  for (let at = 0; at < bytes.length; at += length) {
    await wait(overMs / count, undefined, how);
    yield bytes.subarray(at, at + length);
  }
}
