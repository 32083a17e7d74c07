import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Which names a client may use for the proxy. */
export interface OwnNames {
  /** Whether other machines can reach the proxy: port forwarding may then show clients another port. */
  readonly isRemote: boolean;
  /** More names, in lower case, with any port. */
  readonly more: readonly string[];
}

/**
 * Whether a request names the proxy itself. A page that binds its own name to this machine (DNS rebinding) sends that
 * name, and must not read the deployment behind the proxy. Nobody can rebind a loopback name or an IP address.
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

/** The host of a request target in absolute form; undefined for `*` and an authority alone. */
function authorityOf(target: string): string | undefined {
  return URL.canParse(target) ? new URL(target).host : undefined;
}
