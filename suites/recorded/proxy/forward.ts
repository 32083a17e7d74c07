import { Agent, createServer, type IncomingMessage, type RequestOptions, request, type Server } from 'node:http';
import { createServer as createTlsServer, Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { cannotBeRebound, hostOf, targetOf } from '../../usage/local-server.ts';
import { Budget } from './bodies.ts';
import { type Passed, passedOn, relay } from './relay.ts';

/** Observes the start of each request. Returns what observes its end. */
type Watch = (sentAt: number) => (passed: Passed) => void;

/** Certificate and private key, both in PEM format. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

interface OwnNames {
  /** True if other machines can reach the proxy. Port forwarding may then show clients another port. */
  readonly isRemote: boolean;
  /** Additional names in lower case, accepted with any port. */
  readonly more: readonly string[];
}

/** Larger than Node's default of 16 KiB, because deployments and clients may send more. */
const maxHeaderSize = 128 * 1024;

/** Maximum number of open connections. Their headers and buffers must fit into memory. */
const mostConnections = 1000;

/**
 * Creates a server that forwards every request to a deployment, and every response back. It does not retry, change or
 * follow anything. Each client connection has its own connection to the deployment, so that both end together.
 */
export function createForwarder(
  baseUrl: string,
  watch: Watch,
  now: () => number,
  names: OwnNames,
  tls?: Certificate,
): Server {
  const target = new URL(baseUrl);
  const isTls = target.protocol === 'https:';
  const agents = new WeakMap<Socket, Agent>();
  const budget = new Budget();
  const prefix = target.pathname.replace(/\/$/, '');
  const hostname = target.hostname.replace(/^\[|\]$/g, '');
  const options = (client: Socket, incoming: IncomingMessage): RequestOptions => ({
    agent: agents.get(client),
    protocol: target.protocol,
    hostname,
    port: target.port,
    method: incoming.method ?? 'GET',
    path: prefix + targetOf(incoming.url).path,
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
    const sentAt = now();
    const end = watch(sentAt);
    const send = () => (isTls ? tlsRequest : request)(options(incoming.socket, incoming));
    relay(incoming, outgoing, send, budget, (facts) => {
      const { method = 'GET', rawHeaders: requestHeaders } = incoming;
      const moments = { sentAt, receivedAt: now() };
      end({ method, path: targetOf(incoming.url).path, requestHeaders, ...facts, ...moments });
    });
  };

  // Node's time limits end connections whose request stays incomplete. Idle connections may stay open.
  const settings = { keepAliveTimeout: 0, maxHeaderSize };
  const server =
    tls === undefined
      ? createServer(settings, forward)
      : createTlsServer({ ...settings, cert: tls.cert, key: tls.key }, forward);
  server.maxConnections = mostConnections;
  server.on('checkContinue', forward);
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    const ofClient = { keepAlive: true, maxSockets: 1 };
    const agent = isTls ? new TlsAgent({ ...ofClient, ALPNProtocols: ['http/1.1'] }) : new Agent(ofClient);
    agents.set(socket, agent);
    socket.on('close', () => agent.destroy());
  });
  return server;
}

/**
 * Returns whether a request names the proxy itself. In DNS rebinding, a page binds its own name to this machine and
 * sends that name. The page must not read the deployment behind the proxy. Loopback names and IP addresses cannot be
 * rebound.
 */
function isForProxy({ headers, url, socket }: IncomingMessage, { isRemote, more }: OwnNames): boolean {
  const { host = headers.host } = targetOf(url);
  return [headers.host, host].every((each) => {
    const { hostname = '', port = '' } = hostOf(each) ?? {};
    if (hostname === '') return false;
    if (more.includes(hostname)) return true;
    if (isRemote) return cannotBeRebound(hostname);
    return Number(port || defaultPort(socket)) === socket.localPort && isOwnName(hostname, socket);
  });
}

const defaultPort = (socket: object) => ('encrypted' in socket ? 443 : 80);

function isOwnName(hostname: string, { localAddress }: Socket): boolean {
  if (isIP(hostname) === 4) return hostname.startsWith('127.') || hostname === localAddress?.replace(/^::ffff:/, '');
  return hostname === '[::1]' || hostname === `[${localAddress}]` || /(?:^|\.)localhost$/.test(hostname);
}
