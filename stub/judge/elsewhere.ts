import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Exchange } from '../../suites/history/exchange.ts';
import type { MessageRedactor } from '../journal/journal.ts';

/** A second server that clients are redirected to. They must not send their keys to it. */
interface Elsewhere extends AsyncDisposable {
  readonly origin: string;
  /**
   * Returns the received requests as exchanges. `beganAt` is the start of the history in milliseconds since 1970.
   * Numbers start at `after + 1`.
   */
  readonly exchanges: (beganAt: number, after: number, redactor: MessageRedactor) => Exchange[];
}

interface Came {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export async function listenElsewhere(): Promise<Elsewhere> {
  const all: Came[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    if (all.length < 100) all.push({ at: Date.now(), method, path: url, headers });
    request.resume();
    response.writeHead(404, { 'content-type': 'text/plain' }).end('There is nothing here.\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    exchanges: (beganAt, after, redactor) =>
      all.map(({ at, method, path, headers }, index) => ({
        kind: 'exchange',
        number: after + index + 1,
        sender: { label: 'another address', kind: 'other', role: null },
        request: {
          method,
          url: origin + redactor.path(path),
          tool: null,
          headers: redactor.headers(headers),
          body: null,
          args: null,
        },
        response: { status: 404, headers: [['content-type', 'text/plain']], text: '', json: undefined },
        sentAt: at - beganAt,
        receivedAt: at - beganAt,
        clockMoved: 0,
        together: 1,
        invented: [],
        observes: null,
        odd: false,
        refusable: false,
      })),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
