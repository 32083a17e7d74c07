import type { Call, Step } from '../behavior.ts';
import type { StubRequest } from '../handle.ts';
import { type ApiResponse, boundaryError } from '../responses.ts';

const bearer = /^bearer +(\S+)$/i;

/** Returns the bearer token of a request, valid or not. */
export function secretOf({ headers }: StubRequest): string | undefined {
  const { authorization } = headers;
  return typeof authorization === 'string' ? bearer.exec(authorization)?.[1] : undefined;
}

/** Looks up the key. All invalid credentials get an identical response ("Authentication", item 5). */
export const authenticate: Step = (call) => {
  const secret = secretOf(call.request);
  call.key = secret === undefined ? undefined : call.state.keys.get(secret);
  return call.key?.state === 'live' ? undefined : unauthenticated(call);
};

/** Returns the 401 response. It does not depend on the request. */
export function unauthenticated({ behavior }: Pick<Call, 'behavior'>): ApiResponse {
  const message = 'The request has no valid key. Send one as a bearer token in the header Authorization.';
  return boundaryError(401, behavior.codes.unauthenticated, message, { 'www-authenticate': 'Bearer' });
}
