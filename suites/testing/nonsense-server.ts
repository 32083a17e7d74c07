import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { toolsPath } from '../../fixtures/contract/tools.ts';
import type { StubCore } from '../../stub/core.ts';
import type { StubResponse } from '../../stub/server/handle.ts';
import { answerText, type Nonsense } from './nonsense.ts';

/** Which calls get nonsense; the others get what the stub answers. `nth` counts all calls from 1. */
export type When = (tool: string, nth: number) => boolean;

export interface NonsenseServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** Calls that got nonsense. */
  readonly spoilt: () => number;
}

interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** A server that speaks over bare sockets, since no library would send what it sends. Behind it stands a stub. */
export async function listenNonsense(stub: StubCore, nonsense: Nonsense, when: When): Promise<NonsenseServer> {
  const sockets = new Set<Socket>();
  let calls = 0;
  let spoilt = 0;
  const answer = (socket: Socket, { method, path, headers, body }: Request): void => {
    calls += 1;
    const good: StubResponse = stub.handle({ method, path, headers, body });
    const tool = path.startsWith(toolsPath) ? path.slice(toolsPath.length) : '';
    if (!when(tool, calls)) {
      socket.write(answerText(good));
      return;
    }
    spoilt += 1;
    nonsense(socket, good);
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Whoever goes away is owed nothing.
    socket.on('error', () => undefined);
    let received: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      for (let read = takeRequest(received); read !== undefined; read = takeRequest(received)) {
        received = read.rest;
        answer(socket, read.request);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    spoilt: () => spoilt,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The first whole request of what was received, whose body has a length that is told. */
function takeRequest(received: Buffer): { request: Request; rest: Buffer } | undefined {
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
    request: { method, path, headers, body: received.subarray(headEnd + 4, end) },
    rest: received.subarray(end),
  };
}
