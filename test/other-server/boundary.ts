import { type Answer, boundaryError, type Received } from './answer.ts';
import type { Key, World } from './world.ts';

/** Key of a request, or the reason why it is invalid. */
export type Credential = { key: Key } | { cause: 'absent' | 'unknown' | 'revoked' | 'expired'; key?: Key };

export const readCredential = (world: World, received: Received): Credential => {
  const [, secret] = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(received.headers.authorization ?? '') ?? [];
  if (secret === undefined) return { cause: 'absent' };
  const key = world.keys.get(secret);
  if (!key) return { cause: 'unknown' };
  return key.state === 'good' ? { key } : { cause: key.state, key };
};

/** Returns the same 401 for every reason ("Authentication", item 5). */
export const unauthorized = (world: World, cause: string): Answer => {
  const answer = boundaryError(
    world,
    401,
    cause,
    world.options.codes.unauthorized,
    'A good bearer key is needed here.',
  );
  if (world.options.wwwAuthenticate) answer.headers['www-authenticate'] = 'Bearer realm="edge"';
  return answer;
};

/** Returns a 404, which names no tool ("Boundary errors"). */
export const unknownTool = (world: World): Answer =>
  boundaryError(world, 404, 'unknown-tool', world.options.codes.unknownTool, 'There is no tool of that name.');

/** Returns a 403 with a separate code for each reason ("Authentication", item 4). */
export const closedSurface = (world: World, key: Key, received: Received): Answer | undefined => {
  const { codes } = world.options;
  const refuse = (cause: string, code: string, message: string) => boundaryError(world, 403, cause, code, message);
  if (received.platformOff || !key.platformOn) {
    return refuse('platform-off', codes.platformSwitchOff, 'The API is switched off for everyone.');
  }
  if (!key.account.switchOn)
    return refuse('account-off', codes.accountSwitchOff, 'The account has switched its API off.');
  if (!key.hasAccess)
    return refuse('without-access', codes.withoutAccess, 'The holder of this key may not use the API.');
  return undefined;
};
