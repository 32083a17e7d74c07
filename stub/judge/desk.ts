import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { pagePath } from '../control/paths.ts';
import { page } from '../page/page.ts';
import type { Desk } from './play.ts';

/** Reserves a port for the page where a person answers. All scenarios use it, one after another. */
export async function openDesk(): Promise<Desk> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const token = randomBytes(16).toString('base64url');
  return { page, port, token, url: `http://127.0.0.1:${port}${pagePath}#${token}` };
}
