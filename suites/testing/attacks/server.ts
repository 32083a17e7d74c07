import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { toolsPath } from '../../../fixtures/contract/tools.ts';
import type { StubCore } from '../../../stub/core.ts';
import { type Answering, type Asked, responseText } from './wire.ts';

/** Which requests are answered by the attack; the others get what the stub answers. `nth` counts all of them from 1. */
export type When = (tool: string, nth: number) => boolean;

export interface HostileServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** How many requests were answered by the attack. */
  readonly attacked: () => number;
  /** What arrived at the place to which nothing should be sent. */
  readonly strayed: () => readonly string[];
}

/** A server that speaks over bare sockets, since no library would send what it sends. Behind it stands a stub. */
export async function listenHostile(
  stub: Pick<StubCore, 'handle'>,
  attack: Answering,
  when: When,
): Promise<HostileServer> {
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
      const asked = { ...read.asked, nth: requests, elsewhere: trap.origin };
      // Of a HEAD the stub gives what HTTP would send, of all others what the tool answers.
      const good = stub.handle(asked);
      if (when(asked.tool, requests)) {
        attacked += 1;
        attack(socket, good, asked);
      } else socket.write(responseText(good));
    }
    return rest;
  });
  return {
    baseUrl: main.origin,
    attacked: () => attacked,
    strayed: () => strayed,
    async [Symbol.asyncDispose]() {
      await Promise.all([main.close(), trap.close()]);
    },
  };
}

/** Gives what was received to a function, which gives back what it does not take yet. */
async function listen(take: (socket: Socket, received: Buffer) => Buffer) {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Whoever goes away is owed nothing.
    socket.on('error', () => undefined);
    let received: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = take(socket, Buffer.concat([received, chunk]));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The first whole request of what was received, whose body has a length that is told. */
function takeRequest(received: Buffer): { asked: Omit<Asked, 'nth' | 'elsewhere'>; rest: Buffer } | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [line = '', ...fields] = received.subarray(0, headEnd).toString('latin1').split('\r\n');
  const [method = '', path = ''] = line.split(' ');
  const headers = Object.fromEntries(
    fields.map((field) => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 1).trim(),
    ]),
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
