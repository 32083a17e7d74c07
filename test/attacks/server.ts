import type { Socket } from 'node:net';
import { toolsPath } from '../../fixtures/contract/tools.ts';
import type { Stub } from '../../stub/index.ts';
import { tcpServer } from '../network.ts';
import { type Answering, type Asked, responseText } from './wire.ts';

/** Selects the requests to attack. The stub responds to all others. `nth` counts all requests from 1. */
export type When = (tool: string, nth: number) => boolean;

interface HostileServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** Number of attacked requests. */
  readonly attacked: () => number;
  /** Requests that arrived at an address that must receive none. */
  readonly strayed: () => readonly string[];
}

/** Starts a server on raw sockets, because no library sends such responses. A stub stands behind it. */
export async function listenHostile(stub: Pick<Stub, 'handle'>, attack: Answering, when: When): Promise<HostileServer> {
  let requests = 0;
  let attacked = 0;
  const strayed: string[] = [];
  const trap = await listen((socket, received) => {
    strayed.push(received.toString('latin1'));
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{"ok":true}');
    return Buffer.alloc(0);
  });
  const main = await listen((socket, received) => {
    let rest = received;
    for (let read = takeRequest(rest); read !== undefined; read = takeRequest(rest)) {
      rest = read.rest;
      requests += 1;
      const asked = { ...read.asked, nth: requests, elsewhere: `http://127.0.0.1:${trap.port}` };
      // The stub answers a HEAD request as HTTP does, and all other requests as the tool does.
      const good = stub.handle(asked);
      if (when(asked.tool, requests)) {
        attacked += 1;
        attack(socket, good, asked);
      } else socket.write(responseText(good));
    }
    return rest;
  });
  return {
    baseUrl: `http://127.0.0.1:${main.port}`,
    attacked: () => attacked,
    strayed: () => strayed,
    async [Symbol.asyncDispose]() {
      await Promise.all([main, trap].map((server) => server[Symbol.asyncDispose]()));
    },
  };
}

/** Passes received bytes to `take`, which returns the bytes that it does not process yet. */
const listen = (take: (socket: Socket, received: Buffer) => Buffer) =>
  tcpServer((socket) => {
    let received: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = take(socket, Buffer.concat([received, chunk]));
    });
  });

/** Returns the first complete request in the received bytes. Its body must have a declared length. */
function takeRequest(received: Buffer): { asked: Omit<Asked, 'nth' | 'elsewhere'>; rest: Buffer } | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [line = '', ...fields] = received.subarray(0, headEnd).toString('latin1').split('\r\n');
  const [method = '', path = ''] = line.split(' ');
  const named = fields.map((field) => /^([^:]*):\s*(.*?)\s*$/s.exec(field) ?? []);
  const headers: Record<string, string> = Object.fromEntries(
    named.map(([, name, value]) => [name?.toLowerCase(), value]),
  );
  const end = headEnd + 4 + Number(headers['content-length'] ?? 0);
  if (received.length < end) return undefined;
  return {
    asked: {
      method,
      path,
      headers,
      body: received.subarray(headEnd + 4, end),
      tool: path.startsWith(toolsPath) ? path.slice(toolsPath.length) : '',
      key: headers.authorization?.replace(/^Bearer /, '') ?? '',
    },
    rest: received.subarray(end),
  };
}
