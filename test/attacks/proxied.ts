import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { JudgingProxy, type ProxyOptions } from '../../suites/recorded/proxy/proxy.ts';
import type { RunResult } from '../../suites/result.ts';
import { tcpServer } from '../network.ts';

/** Writes to a connection of the deployment after the head of each request. */
type Upstream = (socket: Socket, nth: number) => void;

interface Proxied {
  /** Sends bytes on a new connection and returns the response, at most after this time. */
  readonly raw: (bytes: string, mostMs?: number) => Promise<string>;
  readonly port: number;
  /** Port of the deployment. */
  readonly deployment: number;
  readonly end: () => Promise<RunResult>;
}

/** Starts a judging proxy in front of a deployment. `end` stops it and returns the result. */
export async function judgingProxy(baseUrl: string, more: Partial<ProxyOptions> = {}) {
  const proxy = new JudgingProxy({
    baseUrl,
    target: undefined,
    assumed: [],
    client: false,
    ...{ only: undefined, skip: undefined, require: undefined, label: undefined, har: undefined },
    onFinding: () => undefined,
    ...more,
  });
  const { hostname: host, port } = new URL(await proxy.listen(0, '127.0.0.1'));
  let result: Promise<RunResult> | undefined;
  const end = () => (result ??= proxy.end());
  return { host, port: Number(port), end, [Symbol.asyncDispose]: async () => void (await end()) };
}

/** Runs `work` with a judging proxy in front of a deployment that writes raw bytes. */
export async function proxied(
  upstream: Upstream,
  work: (proxy: Proxied) => Promise<void>,
  more: Partial<ProxyOptions> = {},
): Promise<void> {
  let nth = 0;
  await using server = await tcpServer((socket) => {
    socket.on('data', (chunk) => {
      if (!chunk.includes('\r\n\r\n')) return;
      nth += 1;
      upstream(socket, nth);
    });
  });
  await using proxy = await judgingProxy(`http://127.0.0.1:${server.port}`, more);
  const raw = async (bytes: string, mostMs = 5000): Promise<string> => {
    const socket = connect(proxy.port, '127.0.0.1');
    const timer = setTimeout(() => socket.destroy(), mostMs);
    socket.write(bytes, 'latin1');
    const received = await text(socket).catch(() => 'broken off');
    clearTimeout(timer);
    return received;
  };
  await work({ raw, port: proxy.port, deployment: server.port, end: proxy.end });
}

/** Returns the bytes of a request to a tool. */
export function toolRequest(port: number, { head = '', body = '{}', tool = 'credits.balance' } = {}): string {
  return (
    `POST /api/v1/tools/${tool} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n${head}Connection: close\r\n\r\n${body}`
  );
}

/** Returns the bytes of a conforming response. */
export function goodResponse(body = '{"ok":true,"balance":1}', head = ''): string {
  const type = 'content-type: application/json\r\nx-service-api: beta\r\n';
  return `HTTP/1.1 200 OK\r\n${type}content-length: ${Buffer.byteLength(body)}\r\n${head}\r\n${body}`;
}
