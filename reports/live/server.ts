import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LiveEvent } from './events.ts';
import { livePage } from './page.ts';

/** Number of past events that a new page receives, by kind. */
const mostKept = { exchange: 300, finding: 300, progress: 1 } as const;

/** Serves the live page on the loopback interface, at an unguessable path. */
export class LiveServer {
  readonly #path = `/${randomBytes(16).toString('base64url')}/`;
  readonly #kept: Record<LiveEvent['kind'], LiveEvent[]> = { exchange: [], finding: [], progress: [] };
  readonly #open = new Set<ServerResponse>();
  readonly #server = createServer(({ url }, response) => {
    if (url === this.#path) response.writeHead(200, livePage.headers).end(livePage.body);
    else if (url === `${this.#path}events`) this.#watch(response);
    else response.writeHead(404).end();
  });

  /** Starts the server and returns the URL of the page. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    // The address of a server on a TCP port is always an AddressInfo.
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${this.#path}`;
  }

  tell(event: LiveEvent): void {
    const kept = this.#kept[event.kind];
    kept.push(event);
    if (kept.length > mostKept[event.kind]) kept.shift();
    for (const response of this.#open) {
      // A page that is too slow is disconnected. When it reconnects, it receives the recent events.
      if (response.writableLength > 1024 * 1024) response.destroy();
      else response.write(lineOf(event));
    }
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #watch(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(Object.values(this.#kept).flat().map(lineOf).join('') || ':\n\n');
    this.#open.add(response);
    response.on('close', () => this.#open.delete(response));
  }
}

const lineOf = (event: LiveEvent) => `data: ${JSON.stringify(event)}\n\n`;
