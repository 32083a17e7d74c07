import { isIP } from 'node:net';
import { hash, timingSafeEqual } from '../../fixtures/world/crypto.ts';
import type { StubRequest } from '../server/handle.ts';

/** Returns whether a value is the token. The comparison takes constant time. */
export type Knows = (given: unknown) => boolean;

export function createKnows(token: string): Knows {
  const expected = hash('sha256', token, 'buffer');
  // timingSafeEqual requires equal lengths, which digests have.
  return (given) => typeof given === 'string' && timingSafeEqual(hash('sha256', given, 'buffer'), expected);
}

/**
 * Returns whether a page of another site may have sent the request. Current browsers send `Sec-Fetch-Site`, older ones
 * only `Origin`. Against DNS rebinding, the host must be an IP address, `localhost`, or a name without a dot. Names
 * without a dot cannot be registered.
 */
export function isForeign({ headers }: StubRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { host, origin } = headers;
  if (origin !== undefined && !isAt(origin, host)) return true;
  return typeof host === 'string' && !isOwnName(host);
}

type Header = StubRequest['headers'][string];

/** Returns whether an origin matches the host. The opaque origin `null` never does. */
function isAt(origin: Header, host: Header): boolean {
  const url = typeof origin === 'string' ? URL.parse(origin) : null;
  return url !== null && typeof host === 'string' && url.host === host.toLowerCase();
}

function isOwnName(host: string): boolean {
  const name = (/^\[(.*)\](?::\d*)?$/.exec(host)?.[1] ?? host.replace(/:\d*$/, '')).toLowerCase();
  return isIP(name) !== 0 || /^(?:[a-z0-9_-]+\.)*localhost$/.test(name) || /^[a-z0-9_-]+$/.test(name);
}
