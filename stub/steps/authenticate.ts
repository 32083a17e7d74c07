import { type Answer, boundaryError } from '../answers.ts';
import type { Call, Step } from '../call.ts';

const bearer = /^bearer +(\S+)$/i;

/** Finds the key, or gives the one answer for every way of not having a good one ("Authentication", item 5). */
export const authenticate: Step = (call) => {
  const { authorization } = call.request.headers;
  const secret = typeof authorization === 'string' ? bearer.exec(authorization)?.[1] : undefined;
  call.key = secret === undefined ? undefined : call.state.keys.get(secret);
  return call.key?.state === 'live' ? undefined : unauthenticated(call);
};

/** The 401: nothing in it depends on the call. */
export function unauthenticated({ rules }: Pick<Call, 'rules'>): Answer {
  const message = 'This call carries no key that is good here. Send one as a bearer token in the header Authorization.';
  return boundaryError(401, rules.codes.unauthenticated, message, { 'www-authenticate': 'Bearer' });
}
