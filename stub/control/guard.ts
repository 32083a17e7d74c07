import { isIP } from 'node:net';
import { hash, timingSafeEqual } from '../../fixtures/world/crypto.ts';
import type { StubRequest } from '../server/handle.ts';

/** Whether a request shows the token, told in a time that does not depend on how nearly it does. */
export type Knows = (given: unknown) => boolean;

export function createKnows(token: string): Knows {
  const expected = hash('sha256', token, 'buffer');
  // Digests are of one length, which a comparison in constant time needs.
  return (given) => typeof given === 'string' && timingSafeEqual(hash('sha256', given, 'buffer'), expected);
}

/**
 * Whether a page of somebody else may have sent this: a browser says where a request comes from, an old one by `Origin`
 * alone, and a name that was made to lead here is no address, not `localhost`, and has a dot, as names that anybody can
 * register have.
 */
export function isForeign({ headers }: StubRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { host, origin } = headers;
  if (origin !== undefined && !isAt(origin, host)) return true;
  return typeof host === 'string' && !isOwnName(host);
}

type Header = StubRequest['headers'][string];

/** Whether an origin is the host that was called: `null`, as some pages have it, is nowhere. */
function isAt(origin: Header, host: Header): boolean {
  const url = typeof origin === 'string' ? URL.parse(origin) : null;
  return url !== null && typeof host === 'string' && url.host === host.toLowerCase();
}

function isOwnName(host: string): boolean {
  const name = (/^\[(.*)\](?::\d*)?$/.exec(host)?.[1] ?? host.replace(/:\d*$/, '')).toLowerCase();
  return isIP(name) !== 0 || /^(?:[a-z0-9_-]+\.)*localhost$/.test(name) || /^[a-z0-9_-]+$/.test(name);
}
