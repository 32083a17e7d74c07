import { responseHeaders } from '../../fixtures/contract/headers.ts';
import type { Handle, StubRequest, StubResponse } from '../server/handle.ts';

/** Headers that pages may read, besides the CORS-safelisted ones. */
const exposed = Object.values(responseHeaders).join(', ');

/** Time in seconds that browsers may cache a preflight. */
const maxAge = '600';

/** Allows CORS requests from an origin, or from all if it is `*`. Requests that match `isApart` are unchanged. */
export function withCors(handle: Handle, origin: string, isApart: (request: StubRequest) => boolean): Handle {
  const allowed = { 'access-control-allow-origin': origin, ...(origin === '*' ? {} : { vary: 'origin' }) };
  return (request) => {
    if (isApart(request)) return handle(request);
    if (isPreflight(request)) return preflight(request, allowed);
    const response = handle(request);
    const headers = { ...response.headers, ...allowed, 'access-control-expose-headers': exposed };
    return { ...response, headers };
  };
}

function isPreflight({ method, headers }: StubRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** Allows the requested headers. The actual request shows whether they are valid. */
function preflight({ headers }: StubRequest, allowed: StubResponse['headers']): StubResponse {
  const wanted = headers['access-control-request-headers'];
  const names = typeof wanted === 'string' && /^[\w!#$%&'*+.^`|~, -]+$/.test(wanted) ? wanted : 'authorization';
  return {
    status: 200,
    headers: {
      ...allowed,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': names,
      'access-control-max-age': maxAge,
      ...(headers['access-control-request-private-network'] === undefined
        ? {}
        : { 'access-control-allow-private-network': 'true' }),
    },
    body: '',
  };
}
