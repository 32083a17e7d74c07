import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createServer as createTlsServer } from 'node:tls';
import { generate } from 'selfsigned';
import type { Stub } from '../stub/index.ts';

/** A server on this machine that listens until it is disposed of. */
export interface Listener extends AsyncDisposable {
  port: number;
}

/** Creates a certificate for localhost and its authority, for use in a single test. */
export async function privateAuthority(): Promise<{ authority: string; certificate: string; key: string }> {
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  return { authority: made.cert, certificate: made.cert, key: made.private };
}

/** Starts a server that terminates TLS and forwards the bytes to a port. */
export async function tlsInFrontOf(
  port: number,
  { certificate, key }: { certificate: string; key: string },
): Promise<Listener> {
  return listening(createTlsServer({ cert: certificate, key }, (socket) => passOn(socket, port)));
}

/** Starts a proxy that supports CONNECT and records all requests. */
export async function connectProxy(): Promise<Listener & { asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${request.url}`);
    const port = Number(new URL(`http://${request.url}`).port);
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [socket, upstream]) end.on('error', () => socket.destroy());
  });
  return Object.assign(await listening(server), { asked });
}

/** Starts a TCP proxy that delays each chunk by half of the round-trip time in each direction. */
export async function delayedInFrontOf(port: number, roundTripMs: number): Promise<Listener> {
  const hold = (from: Socket, to: Socket) => {
    from.on('data', (chunk) => setTimeout(() => to.write(chunk), roundTripMs / 2));
    from.on('close', () => setTimeout(() => to.destroy(), roundTripMs / 2));
    from.on('error', () => {});
  };
  return listening(
    createTcpServer((socket) => {
      const upstream = connect({ port, host: '127.0.0.1', noDelay: true });
      socket.setNoDelay(true);
      hold(socket, upstream);
      hold(upstream, socket);
    }),
  );
}

/** Starts a server with this request listener; `host` is for addresses other than 127.0.0.1. */
export async function httpServer(answer: RequestListener, host = '127.0.0.1'): Promise<Listener> {
  return listening(createServer(answer), host);
}

/** A request before it is passed on. */
export interface Passed {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Response headers to add. */
  readonly added?: Readonly<Record<string, string>>;
}

/** Passes requests to a stub. `change` may change them. If it returns null, the response is a 421. */
export function passedTo(stub: Stub, change: (passed: Passed) => Passed | null = (same) => same): RequestListener {
  return async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const passed = change({ path, headers });
    const body = await buffer(request);
    if (passed === null) {
      response.writeHead(421, { 'content-type': 'text/plain' }).end();
      return;
    }
    const answer = stub.handle({ method, path: passed.path, headers: passed.headers, body });
    response.writeHead(answer.status, { ...answer.headers, ...passed.added }).end(answer.body);
  };
}

function passOn(socket: Socket, port: number): void {
  const upstream = connect(port, '127.0.0.1');
  socket.pipe(upstream).pipe(socket);
  for (const end of [socket, upstream]) end.on('error', () => socket.destroy());
}

/** Starts a server on raw sockets. Clients may disconnect at any time. */
export async function tcpServer(connected: (socket: Socket) => void): Promise<Listener> {
  return listening(createTcpServer((socket) => connected(socket.on('error', () => undefined))));
}

/** Starts a server on a free port, and closes its connections when it is disposed of. */
export async function listening(server: Server, host = '127.0.0.1'): Promise<Listener> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo; // a TCP server has no other kind of address
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
