import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bodyLimitBytes, type Handle, type StubResponse } from '../server/handle.ts';
import { send } from './send.ts';

// An import makes all exports of a module, and this one's are `WebSocket` and with it `fetch` and much more, which is
// slow to load and large.
const { createServer } = process.getBuiltinModule('node:http');

export interface ListenOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** 127.0.0.1 by default. */
  readonly host?: string;
  /** Speaks TLS with this certificate and its key, both in PEM. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

export interface Listening {
  /** Without trailing slash and without the base path, e.g. `http://127.0.0.1:4010`. */
  readonly origin: string;
  readonly port: number;
  /** Stops accepting, lets calls under way finish for a second, then closes what is still open. */
  readonly close: () => Promise<void>;
}

/** The only answer that the specification does not know. */
const fault: StubResponse = {
  status: 500,
  headers: { 'content-type': 'application/json' },
  body: '{"error":{"code":"stub.fault","message":"The stub itself is at fault."}}',
};

/** How long a call under way may take once the server closes. */
const graceMs = 1000;

/**
 * Serves a handle over HTTP/1.1. Rejects when the address cannot be had. `onFault` learns of what the handle should not
 * have thrown.
 */
export async function listen(
  handle: Handle,
  { port = 0, host = '127.0.0.1', tls }: ListenOptions,
  onFault: (error: unknown) => void,
): Promise<Listening> {
  const closing = new AbortController();
  const server = serverOf(tls, (request, response) => {
    receive(request, (body) => {
      // A connection that is kept open would hold up a server that closes.
      if (!server.listening) response.shouldKeepAlive = false;
      try {
        const { method = 'GET', url = '/', headers, socket } = request;
        send(
          response,
          handle({ method, path: url, headers, body, secure: tls !== undefined, connection: socket }),
          closing.signal,
        );
      } catch (error) {
        onFault(error);
        send(response, fault, closing.signal);
      }
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  const address = server.address() as AddressInfo;
  return {
    origin: `${tls === undefined ? 'http' : 'https'}://${nameOf(address)}:${address.port}`,
    port: address.port,
    close() {
      closing.abort();
      return close(server);
    },
  };
}

function serverOf(tls: ListenOptions['tls'], onRequest: RequestListener): Server {
  if (tls === undefined) return createServer({ keepAliveTimeout: 30_000 }, onRequest);
  return process.getBuiltinModule('node:https').createServer({ ...tls, keepAliveTimeout: 30_000 }, onRequest);
}

/** The host as a client on this machine writes it; one that stands for all addresses is reached at the loopback one. */
function nameOf({ address }: AddressInfo): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  if (address === '::') return '[::1]';
  return address.includes(':') ? `[${address}]` : address;
}

/** Collects the body, and of one that is too long just enough to tell. */
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
  // A client that goes away in the middle of its body is owed no response.
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
