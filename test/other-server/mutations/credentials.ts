import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import { boundaryError, refusal } from '../answer.ts';
import { answers, around, asKey, inside, requests, secretOf } from './mutation.ts';

/** Deviations of 401 and 403. */
export const credentialMutations = {
  'expired-401-has-a-byte-more': answers('the 401 of an expired key ends in one more character', (answer) => {
    if (answer.cause === 'expired') inside(answer.body, 'error').message = `${inside(answer.body, 'error').message}.`;
  }),
  'revoked-401-has-another-code': answers('the 401 of a revoked key has a code of its own', (answer) => {
    if (answer.cause === 'revoked') inside(answer.body, 'error').code = 'edge.revoked';
  }),
  'revoked-401-is-compact': answers('the 401 of a revoked key has other white space', (answer) => {
    if (answer.cause === 'revoked') answer.text = JSON.stringify(answer.body);
  }),
  'unknown-401-members-swapped': answers('the 401 of an unknown key has its members in another order', (answer) => {
    const { code = '', message = '' } = inside(answer.body, 'error');
    if (answer.cause === 'unknown') answer.body = { error: { code, message } };
  }),
  'absent-401-alone-has-a-challenge': answers('only the 401 of an absent credential has WWW-Authenticate', (answer) => {
    if (answer.status === 401 && answer.cause !== 'absent') delete answer.headers['www-authenticate'];
  }),
  'expired-401-has-a-hint-in-the-challenge': answers('WWW-Authenticate tells an expired key', (answer) => {
    if (answer.cause === 'expired') answer.headers['www-authenticate'] = 'Bearer realm="edge", error="invalid_token"';
  }),
  'expired-401-has-a-header': answers('the 401 of an expired key has a header more', (answer) => {
    if (answer.cause === 'expired') answer.headers['x-key-state'] = 'stale';
  }),
  '401-of-images-differs': answers('the 401 of images.generate has another message', (answer, { tool }) => {
    if (answer.status === 401 && tool === 'images.generate')
      inside(answer.body, 'error').message = 'No images without a key.';
  }),
  'unknown-is-403-on-library': answers('an unknown key is HTTP 403 on library.get', (answer, { tool }) => {
    if (answer.cause === 'unknown' && tool === 'library.get') answer.status = 403;
  }),
  'other-scheme-is-400': answers('a scheme other than Bearer is HTTP 400', (answer, { received }) => {
    const { authorization = 'Bearer' } = received.headers;
    if (answer.status === 401 && !/^bearer/i.test(authorization)) answer.status = 400;
  }),
  'expired-key-reads-connections': requests(
    'connections.status takes an expired key',
    ({ tool, key, received, world }) =>
      tool === 'connections.status' && key?.state === 'expired' ? asKey(received, secretOf(world, 'sole')) : undefined,
  ),
  'revoked-key-works-the-second-time': around('every second call of a revoked key is served', () => {
    let calls = 0;
    return async ({ received, key, world }, next) => {
      if (key?.state === 'revoked') calls += 1;
      const serve = key?.state === 'revoked' && calls % 2 === 0;
      return next(serve ? asKey(received, secretOf(world, 'primary')) : received);
    };
  }),
  'without-access-reads-balance': requests(
    'credits.balance does not ask for the capability',
    ({ tool, key, received, world }) =>
      tool === 'credits.balance' && key?.role === 'withoutAccess'
        ? asKey(received, secretOf(world, 'primary'))
        : undefined,
  ),
  'account-off-answers-knowledge': requests(
    'knowledge.search does not ask for the account switch',
    ({ tool, key, received, world }) =>
      tool === 'knowledge.search' && key?.role === 'accountSwitchOff'
        ? asKey(received, secretOf(world, 'sole'))
        : undefined,
  ),
  'account-off-answers-all': requests('the account switch does nothing', ({ key, received, world }) =>
    key?.role === 'accountSwitchOff' ? asKey(received, secretOf(world, 'sole')) : undefined,
  ),
  'access-and-account-share-a-code': answers(
    'the capability and the account switch have one code',
    (answer, { world }) => {
      if (answer.cause === 'without-access') inside(answer.body, 'error').code = world.options.codes.accountSwitchOff;
    },
  ),
  'platform-off-is-a-refusal': around('a closed platform is a refusal with HTTP 200', () => async (call, next) => {
    const answer = await next(call.received);
    if (answer.cause !== 'platform-off') return answer;
    return {
      ...refusal('platform_off', 'Closed.', true),
      headers: { ...answer.headers, [responseHeaders.toolError]: 'true' },
    };
  }),
  'account-off-is-503': answers('an account switched off is HTTP 503', (answer) => {
    if (answer.cause === 'account-off') answer.status = 503;
  }),
  'closed-is-402-on-images': around(
    'a closed account is HTTP 402 on images.generate',
    (world) => async (call, next) => {
      const answer = await next(call.received);
      if (answer.cause !== 'account-off' || call.tool !== 'images.generate') return answer;
      const { headers } = answer;
      return { ...boundaryError(world, 402, 'account-off', 'edge.pay', 'Pay first.'), headers };
    },
  ),
};
