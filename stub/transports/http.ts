import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { targetOf } from '../../suites/usage/local-server.ts';
import { bodyLimitBytes, type Handle, type StubRequest, type StubResponse } from '../server/handle.ts';
import { send } from './send.ts';

// Importing `node:http` evaluates all its exports. `WebSocket` loads undici, which is slow and large.
const { createServer } = process.getBuiltinModule('node:http');

export interface ListenOptions {
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Certificate and key in PEM format; enables TLS. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Handles all requests to one path, ignoring the query. */
  readonly beside?: Beside | undefined;
}

/** A request handler at one path that is not part of the API. */
export interface Beside {
  readonly path: string;
  /** `left` aborts if the client closes the connection. */
  readonly respond: (request: StubRequest, left: AbortSignal) => Promise<StubResponse>;
}

export interface Listening {
  /** Without trailing slash and base path, for example `http://127.0.0.1:4010`. */
  readonly origin: string;
  readonly port: number;
  /** Stops accepting connections, waits up to a second for requests in progress, then closes all connections. */
  readonly close: () => Promise<void>;
}

/** Response to a request at which the stub itself fails. It is outside the specification. */
const fault: StubResponse = {
  status: 500,
  headers: { 'content-type': 'application/json' },
  body: '{"error":{"code":"stub.fault","message":"The stub itself is at fault."}}',
};

/** Time that requests in progress get when the server closes. */
const graceMs = 1000;

/**
 * Serves a handler over HTTP/1.1. Rejects if the address is unavailable. `onFault` receives unexpected errors of the
 * handler.
 */
export async function listen(
  handle: Handle,
  { port = 0, host = '127.0.0.1', tls, beside }: ListenOptions,
  onFault: (error: unknown) => void,
): Promise<Listening> {
  const server = serverOf(tls, (request, response) => {
    const { path, host } = targetOf(request.url);
    if (host !== undefined) request.headers.host = host;
    receive(request, (body) => {
      // A keep-alive connection would delay closing the server.
      if (!server.listening) response.shouldKeepAlive = false;
      const { method = 'GET', headers, socket: connection } = request;
      const received = { method, path, headers, body, secure: tls !== undefined, connection };
      const failed = (error: unknown): void => {
        onFault(error);
        send(response, fault);
      };
      try {
        if (beside === undefined || path.split('?')[0] !== beside.path) {
          send(response, handle(received));
          return;
        }
        const left = new AbortController();
        response.once('close', () => left.abort());
        beside.respond(received, left.signal).then((sent) => send(response, sent), failed);
      } catch (error) {
        failed(error);
      }
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  // A server that listens on TCP has an address with a port.
  const address = server.address() as AddressInfo;
  return {
    origin: `${tls === undefined ? 'http' : 'https'}://${nameOf(address)}:${address.port}`,
    port: address.port,
    close: () => close(server),
  };
}

function serverOf(tls: ListenOptions['tls'], onRequest: RequestListener): Server {
  if (tls === undefined) return createServer({ keepAliveTimeout: 30_000 }, onRequest);
  return process.getBuiltinModule('node:https').createServer({ ...tls, keepAliveTimeout: 30_000 }, onRequest);
}

/** Returns the host for URLs on this machine. Wildcard addresses become loopback addresses. */
function nameOf({ address }: AddressInfo): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  if (address === '::') return '[::1]';
  return address.includes(':') ? `[${address}]` : address;
}

/** Collects the body. Stops storing data once the body exceeds the limit. */
function receive(request: IncomingMessage, done: (body: Uint8Array | null) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    if (length <= bodyLimitBytes) chunks.push(chunk);
    length += chunk.length;
  });
  request.on('end', () => {
    const [only] = chunks;
    done(only === undefined ? null : chunks.length === 1 ? only : Buffer.concat(chunks));
  });
  // A client that disconnects while sending its body needs no response.
  request.on('error', () => undefined);
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  const impatience = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(impatience);
}
