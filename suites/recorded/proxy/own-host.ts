import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Names that clients may use for the proxy. */
export interface OwnNames {
  /** True if other machines can reach the proxy. Port forwarding may then show clients another port. */
  readonly isRemote: boolean;
  /** Additional names in lower case, accepted with any port. */
  readonly more: readonly string[];
}

/**
 * Returns whether a request names the proxy itself. In DNS rebinding, a page binds its own name to this machine and
 * sends that name. The page must not read the deployment behind the proxy. Loopback names and IP addresses cannot be
 * rebound.
 */
export function isForProxy({ headers, url = '', socket }: IncomingMessage, { isRemote, more }: OwnNames): boolean {
  const hosts = [headers.host, ...(url.startsWith('/') ? [] : [authorityOf(url)])];
  return hosts.every((host) => {
    if (host === undefined || !URL.canParse(`http://${host}/`)) return false;
    const { hostname, port } = new URL(`http://${host}/`);
    if (more.includes(hostname)) return true;
    const isOwnPort = isRemote || Number(port || defaultPort(socket)) === socket.localPort;
    const address = hostname.replace(/^\[|\]$/g, '');
    const isOwnName = hostname === 'localhost' || hostname.endsWith('.localhost');
    return isOwnPort && (isOwnName || (isIP(address) !== 0 && (isRemote || isOwnAddress(address, socket))));
  });
}

const defaultPort = (socket: object) => ('encrypted' in socket ? 443 : 80);

const isOwnAddress = (address: string, { localAddress }: { localAddress?: string | undefined }) =>
  address.startsWith('127.') || address === '::1' || address === localAddress?.replace(/^::ffff:/, '');

/** Returns the host of a request target in absolute form; undefined for `*` or a bare authority. */
function authorityOf(target: string): string | undefined {
  return URL.canParse(target) ? new URL(target).host : undefined;
}
