import { Agent, createServer, type IncomingMessage, type RequestOptions, request, type Server } from 'node:http';
import { createServer as createTlsServer, Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { passedOn } from './hop-by-hop.ts';
import { isForProxy, type OwnNames } from './own-host.ts';
import type { Passed } from './passed.ts';
import { relay } from './relay.ts';

/** Observes the start and end of each request. Both calls receive the same `token`. */
export interface Watcher {
  begin(token: object, sentAt: number): void;
  end(token: object, passed: Passed): void;
}

/** Certificate and private key, both in PEM format. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Forwarding {
  readonly now: () => number;
  readonly tls: Certificate | undefined;
  readonly names: OwnNames;
}

/** Larger than Node's default of 16 KiB, because deployments and clients may send more. */
const maxHeaderSize = 128 * 1024;

/**
 * Creates a server that forwards every request to a deployment, and every response back. It does not retry, change or
 * follow anything. Each client connection has its own connection to the deployment, so that both end together.
 */
export function createForwarder(baseUrl: string, watcher: Watcher, { now, tls, names }: Forwarding): Server {
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
    path: prefix + pathOf(incoming),
    headers: ['host', target.host, ...passedOn(incoming.rawHeaders)],
    setHost: false,
    maxHeaderSize,
    // TLS server names cannot be IP addresses.
    ...(isTls && isIP(hostname) === 0 ? { servername: hostname } : {}),
  });

  const forward: Parameters<typeof createServer>[1] = (incoming, outgoing) => {
    if (!isForProxy(incoming, names)) {
      const text = 'tck proxy: the header Host names another host. Add --allow-host NAME to accept it.\n';
      outgoing.writeHead(421, { 'content-type': 'text/plain', connection: 'close' }).end(text);
      return;
    }
    const token = {};
    const sentAt = now();
    watcher.begin(token, sentAt);
    const send = () => (isTls ? tlsRequest : request)(options(incoming.socket, incoming));
    relay(incoming, outgoing, send, (facts) => {
      const { method = 'GET', rawHeaders: requestHeaders } = incoming;
      const moments = { sentAt, receivedAt: now() };
      watcher.end(token, { method, path: pathOf(incoming), requestHeaders, ...facts, ...moments });
    });
  };

  const settings = { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0, maxHeaderSize };
  const server =
    tls === undefined
      ? createServer(settings, forward)
      : createTlsServer({ ...settings, cert: tls.cert, key: tls.key }, forward);
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

/** Returns the path of a request with its query, also for a target in absolute form. */
function pathOf({ url = '/' }: IncomingMessage): string {
  if (url.startsWith('/') || !URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}
