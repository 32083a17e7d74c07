import {
  Agent,
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { Kept } from './kept.ts';

/** What passed through the proxy. */
export interface Passed {
  readonly method: string;
  /** The path that was forwarded, with its query. */
  readonly path: string;
  /** Headers are names and values in turn, as they came. */
  readonly requestHeaders: readonly string[];
  readonly requestBody: Kept;
  /** Null where the deployment did not answer, or not to the end. */
  readonly response: { readonly status: number; readonly headers: readonly string[]; readonly body: Kept } | null;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** Is told when a request begins and when it is over; `token` is the same for both. */
export interface Watcher {
  begin(token: object, sentAt: number): void;
  end(token: object, passed: Passed): void;
}

/** A certificate and its key, both in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** These belong to one connection, and the proxy has two. */
const ofConnection = ['connection', 'keep-alive', 'proxy-connection', 'host'];

/**
 * A server that passes every request on to a deployment as it comes, and every response back: nothing is retried,
 * changed or followed. Each connection of a client has one of its own behind it, so that both end together.
 */
export function createForwarder(
  baseUrl: string,
  watcher: Watcher,
  { now, tls }: { readonly now: () => number; readonly tls: Certificate | undefined },
): Server {
  const target = new URL(baseUrl);
  const isTls = target.protocol === 'https:';
  const agents = new WeakMap<Socket, Agent>();
  const prefix = target.pathname.replace(/\/$/, '');
  const hostname = target.hostname.replace(/^\[|\]$/g, '');
  const options = (client: Socket, incoming: IncomingMessage): RequestOptions => ({
    agent: agents.get(client),
    protocol: target.protocol,
    hostname,
    port: target.port,
    method: incoming.method ?? 'GET',
    path: prefix + (incoming.url ?? '/'),
    headers: ['host', target.host, ...passedOn(incoming.rawHeaders)],
    setHost: false,
    // TLS has no server names for addresses.
    ...(isTls && isIP(hostname) === 0 ? { servername: hostname } : {}),
  });

  const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const token = {};
    const sentAt = now();
    watcher.begin(token, sentAt);
    const asked = new Kept();
    const { socket } = incoming;
    let response: Passed['response'] = null;
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      const { method = 'GET', url = '/', rawHeaders: requestHeaders } = incoming;
      const moments = { sentAt, receivedAt: now() };
      watcher.end(token, { method, path: url, requestHeaders, requestBody: asked, response, ...moments });
    };
    const upstream = (isTls ? tlsRequest : request)(options(socket, incoming));
    upstream.on('information', ({ statusCode, rawHeaders }) => {
      if (statusCode === 103) outgoing.writeEarlyHints(Object.fromEntries(headersOf(rawHeaders)));
    });
    upstream.on('continue', () => outgoing.writeContinue());
    upstream.on('response', (answer) => {
      const body = new Kept();
      outgoing.sendDate = false;
      outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, passedOn(answer.rawHeaders));
      // Of a stream that begins later the client has the headers at once; otherwise they go out with the body.
      setImmediate(() => outgoing.flushHeaders());
      answer.on('data', (chunk: Buffer) => body.add(chunk));
      answer.on('end', () => {
        response = { status: answer.statusCode ?? 0, headers: answer.rawHeaders, body };
        if (answer.rawTrailers.length > 0) outgoing.addTrailers(Object.fromEntries(headersOf(answer.rawTrailers)));
        end();
      });
      answer.on('error', () => socket.destroy());
      answer.pipe(outgoing);
    });
    // What the client sees of a deployment that breaks off is that: a connection that breaks off.
    upstream.on('error', () => {
      end();
      socket.destroy();
    });
    upstream.on('close', end);
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) upstream.destroy();
    });
    incoming.on('data', (chunk: Buffer) => asked.add(chunk));
    incoming.pipe(upstream);
  };

  const patient = { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 };
  const server =
    tls === undefined
      ? createServer(patient, forward)
      : createTlsServer({ ...patient, cert: tls.cert, key: tls.key }, forward);
  server.on('checkContinue', forward);
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    const agent = isTls
      ? new TlsAgent({ keepAlive: true, maxSockets: 1 })
      : new Agent({ keepAlive: true, maxSockets: 1 });
    agents.set(socket, agent);
    socket.on('close', () => agent.destroy());
  });
  return server;
}

function passedOn(rawHeaders: readonly string[]): string[] {
  const passed: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]];
    if (!ofConnection.includes(name.toLowerCase())) passed.push(name, value);
  }
  return passed;
}

/** Names in lower case, with their values. */
export function headersOf(rawHeaders: readonly string[]): [string, string][] {
  const headers: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.push([(rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? '']);
  }
  return headers;
}
