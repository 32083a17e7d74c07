import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { pagePath } from '../control/paths.ts';
import { page } from '../page/page.ts';
import type { Desk } from './play.ts';

/** Finds a port for the page where a person answers; each scenario listens there in its turn. */
export async function openDesk(): Promise<Desk> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening server has an address with a port.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const token = randomBytes(16).toString('base64url');
  return { page, port, token, url: `http://127.0.0.1:${port}${pagePath}#${token}` };
}
