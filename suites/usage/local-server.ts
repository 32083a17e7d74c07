import { isIP } from 'node:net';

/** What servers on this machine check before they respond: the stub, its control plane, MCP, and the proxy. */

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const absoluteForm = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/**
 * Splits a request target into path and host. Only a target in absolute form has a host, which replaces the header
 * (RFC 9112, section 3.2.2). The path includes the query and is not normalized.
 */
export function targetOf(target = '/'): { readonly path: string; readonly host?: string | undefined } {
  const [origin, host] = absoluteForm.exec(target) ?? [];
  if (origin === undefined) return { path: target };
  const path = target.slice(origin.length);
  return { path: path.startsWith('/') ? path : `/${path}`, host };
}

/** Parses a Host header. Returns null if the header is missing or malformed. */
export function hostOf(host: unknown): URL | null {
  return typeof host === 'string' ? URL.parse(`http://${host}/`) : null;
}

/**
 * Returns whether a page of another site may have sent the request. Current browsers send `Sec-Fetch-Site`, older ones
 * only `Origin`. A page can also bind its own name to this machine (DNS rebinding).
 */
export function isForeign({ host, origin, 'sec-fetch-site': site }: Headers): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin !== undefined && !isAt(origin, host)) return true;
  return host !== undefined && !cannotBeRebound(hostOf(host)?.hostname ?? '.');
}

/** Returns whether an origin matches the host. The opaque origin `null` never does. */
function isAt(origin: Headers[string], host: Headers[string]): boolean {
  const url = typeof origin === 'string' ? URL.parse(origin) : null;
  return url !== null && typeof host === 'string' && url.host === host.toLowerCase();
}

/** IP addresses and loopback names are nobody else's, and names without a dot cannot be registered. */
export function cannotBeRebound(hostname: string): boolean {
  return hostname.startsWith('[') || isIP(hostname) !== 0 || /^(?:[^.]+|.*\.localhost)$/.test(hostname);
}
